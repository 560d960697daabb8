import Core
import Platform
import Ports
import TestSupport
import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// The client against programs that are not the daemon.
@Suite struct ControlClientTests {
  /// Serves the first client with `speak` in its own thread, then closes.
  private final class FalseDaemon: @unchecked Sendable {
    let path = "/tmp/godwit-false-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
    private let listener: Int32
    private let file: SocketFile
    private let speak: (Int32) -> Void
    private var thread = pthread_t()

    init(_ speak: @escaping (Int32) -> Void) throws {
      (listener, file) = try UnixSocket.listen(path: path)
      self.speak = speak
      _ = fcntl(listener, F_SETFL, 0)
      let context = Unmanaged.passUnretained(self).toOpaque()
      pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<FalseDaemon>.fromOpaque(context).takeUnretainedValue().serve()
          return nil
        }, context)
    }

    private func serve() {
      let client = accept(listener, nil, nil)
      speak(client)
      close(client)
    }

    func end() {
      pthread_join(thread, nil)
      file.remove(at: path)
      close(listener)
    }
  }

  private func message(_ daemon: FalseDaemon, within seconds: Double) -> String {
    defer { daemon.end() }
    do {
      return try ControlClient.query(.object([]), path: daemon.path, within: Seconds(seconds)).text
    } catch {
      return error.message
    }
  }

  @Test("a daemon that hangs is not retried at once")
  func hanging() throws {
    // A client that waits for the next request ends with the connection.
    let daemon = try FalseDaemon { client in
      var byte: UInt8 = 0
      while read(client, &byte, 1) > 0 {}
    }
    defer { daemon.end() }
    let asked = ControlSocketDaemon(path: daemon.path, within: 0.05)
    let first = thrown(PortError.self) { try asked.query(.object([])) }
    #expect(first?.message.contains("a moment ago") == false)
    let second = thrown(PortError.self) { try asked.query(.object([])) }
    #expect(second?.message.hasSuffix("the daemon has not answered a moment ago") == true)
  }

  @Test("dripping bytes do not extend the timeout")
  func dripping() throws {
    let daemon = try FalseDaemon { client in
      // Sends a byte every 20 ms until the client has disconnected.
      while send(client, "1", 1, Int32(MSG_NOSIGNAL)) == 1 { poll(nil, 0, 20) }
    }
    let start = BootClock.now
    let message = message(daemon, within: 0.3)
    #expect(message.contains("bytes of an answer in time"))
    #expect((BootClock.now - start).value < 3)
  }

  @Test("an answer without an end is refused")
  func endless() throws {
    let chunk = [UInt8](repeating: 0x20, count: 65_536)
    let daemon = try FalseDaemon { client in
      while send(client, chunk, chunk.count, Int32(MSG_NOSIGNAL)) > 0 {}
    }
    #expect(message(daemon, within: 5).contains("more than"))
  }

  @Test("the error for a file in place of the socket says so") func file() throws {
    let scratch = try ScratchFolder()
    try scratch.write("", to: "socket")
    let path = scratch.file("socket")
    let error = thrown(PortError.self) { _ = try ControlClient.query(.object([]), path: path) }
    #expect(
      error?.message
        == "\(path) is not a socket: move it away, or set control.socket to the daemon's")
  }

  @Test("the text of a refusal is only displayed")
  func escapes() throws {
    let daemon = try FalseDaemon { client in
      let answer = #"{"error":"\u001b]0;title\u0007"}"# + "\n"
      send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      var byte: UInt8 = 0
      while recv(client, &byte, 1, 0) > 0 {}
    }
    #expect(message(daemon, within: 5) == "the daemon refused: \u{fffd}]0;title\u{fffd}")
  }
}
