import Ports
import Core
import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// The control socket, against its own client and against raw, hostile ones.
@Suite struct ControlSocketTests {
  /// A socket on a loop that runs in its own thread until the test is over.
  private final class Server: @unchecked Sendable {
    let path: String
    private let loop: EventLoop
    private var socket: ControlSocket?
    private var thread = pthread_t()
    private var stop: [Int32] = [0, 0]
    private var stopSource: EventSource?

    init() throws {
      let loop = try EventLoop()
      self.loop = loop
      path = "/tmp/godwit-control-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
      socket = try ControlSocket(path: path, group: nil, loop: loop) { [unowned self] request in
        if request["watch"]?.bool == true { flood() }
        return .object([("echo", request)])
      }
      pipe(&stop)
      stopSource = try loop.watch(stop[0]) { loop.exit(0) }
      let context = Unmanaged.passUnretained(self).toOpaque()
      pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          _ = try? Unmanaged<Server>.fromOpaque(context).takeUnretainedValue().loop.run()
          return nil
        }, context)
    }

    /// Sends each watcher more than any socket's buffer holds.
    private func flood() {
      socket?.addWatcher()
      let news = JSONValue.object([("news", .string(String(repeating: "x", count: 9000)))])
      for _ in 0..<200 { socket?.broadcast(news) }
    }

    func end() {
      write(stop[1], "x", 1)
      pthread_join(thread, nil)
      stopSource = nil
      socket = nil
      close(stop[0])
      close(stop[1])
    }

    func connect() throws -> Int32 {
      let descriptor = try UnixSocket.new()
      #expect(try UnixSocket.connect(descriptor, to: path) == nil)
      return descriptor
    }
  }

  @Test("a client that does not read its events is dropped after its answer, not within it")
  func deafWatcher() throws {
    let server = try Server()
    defer { server.end() }
    let deaf = try server.connect()
    defer { close(deaf) }
    let request = Array(#"{"watch":true}"#.utf8) + [UInt8(ascii: "\n")]
    #expect(send(deaf, request, request.count, 0) == request.count)
    let other = try server.connect()
    defer { close(other) }
    #expect(exchange(Array("{\"a\":1}\n".utf8), on: other).contains("echo"))
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var count = 0
    repeat { count = recv(deaf, &chunk, chunk.count, 0) } while count > 0
    #expect(count <= 0, "it has been let go")
    #expect(exchange(Array("{\"a\":2}\n".utf8), on: other).contains("echo"))
  }

  /// Sends, then reads what comes within five seconds, until a newline or the end.
  private func exchange(_ bytes: [UInt8], on descriptor: Int32) -> String {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { break }
      rest = rest.dropFirst(sent)
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while answer.last != UInt8(ascii: "\n"), poll(&waiting, 1, 5000) > 0 {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      answer += chunk[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }

  @Test("a request is answered") func oneLineIsAnsweredByOneLine() throws {
    let server = try Server()
    defer { server.end() }
    let answer = try ControlClient.query(.object([("command", .string("x"))]), path: server.path)
    #expect(answer["echo"]?["command"]?.string == "x")
  }

  @Test("hostile requests are refused, and the socket keeps working")
  func hostileRequestsAreRefusedAndTheSocketLives() throws {
    let server = try Server()
    defer { server.end() }
    for request in ["not json\n", "{\"a\":\n", "\u{0}\u{1}\n", "\n"] {
      let client = try server.connect()
      #expect(exchange(Array(request.utf8), on: client).contains("\"error\""))
      close(client)
    }
    let endless = try server.connect()
    let answer = exchange([UInt8](repeating: 0x61, count: 10_000), on: endless)
    #expect(answer.contains("at most") || answer.isEmpty)
    close(endless)
    let crowd = try (0..<40).map { _ in
      let client = try UnixSocket.new()
      _ = try UnixSocket.connect(client, to: server.path)  // some find the queue full: no matter
      return client
    }
    crowd.forEach { close($0) }
    _ = try ControlClient.query(.object([]), path: server.path)
  }

  @Test("a live socket is not taken over, a dead one is")
  func aLiveSocketIsNotTakenAndADeadOneIs() throws {
    let server = try Server()
    let loop = try EventLoop()
    #expect(throws: PortError.self) {
      try ControlSocket(path: server.path, group: nil, loop: loop) { $0 }
    }
    server.end()
    // A socket file without a listener: what a killed daemon leaves.
    let dead = try UnixSocket.listen(path: server.path)
    close(dead.descriptor)
    let again = try ControlSocket(path: server.path, group: nil, loop: loop) { $0 }
    withExtendedLifetime(again) {}
  }

  @Test("an absent daemon and an unusable path are errors, an unknown group a warning")
  func mistakesAreExplained() throws {
    #expect(throws: PortError.self) {
      try ControlClient.query(.null, path: "/tmp/godwit-nobody-is-here.sock")
    }
    #expect(throws: PortError.self) {
      try ControlClient.query(.null, path: "/tmp/" + String(repeating: "x", count: 200))
    }
    let loop = try EventLoop()
    let socket = try ControlSocket(
      path: "/tmp/godwit-group-\(getpid()).sock", group: "no-such-group", loop: loop
    ) { $0 }
    #expect(socket.warning?.contains("control.group") == true)
  }
}
