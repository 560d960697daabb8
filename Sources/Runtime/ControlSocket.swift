import Notation

#if canImport(Glibc)
  import Glibc
#endif

/// The daemon's ear: a Unix socket on which one line of JSON is answered by one line of JSON.
///
/// Access is the file system's: mode 0660 and, if one is set, the service's group. Requests are
/// bounded in length, clients in number, and a client that does not read its answer is let go.
public final class ControlSocket {
  static let mostClients = 16

  private let loop: EventLoop
  private let path: String
  private let listener: Int32
  private let answer: (JSONValue) -> JSONValue
  private var listening: EventSource?
  /// What is wrong although it listens: the group does not exist.
  public private(set) var warning: String?
  private var clients: [Int32: Client] = [:]
  private var accepted = 0

  private struct Client {
    var source: EventSource
    /// Which it was of all.
    let number: Int
    var requests = RequestLines()
  }

  public init(
    path: String, group: String?, loop: EventLoop, answer: @escaping (JSONValue) -> JSONValue
  ) throws(ControlError) {
    self.path = path
    self.loop = loop
    self.answer = answer
    listener = try UnixSocket.listen(path: path)
    do throws(ControlError) {
      if let group { try UnixSocket.give(path, to: group) }
    } catch {
      warning = "\(error.message); until then only the daemon's own user is answered"
    }
    do {
      listening = try loop.watch(listener) { [unowned self] in accept() }
    } catch {
      close(listener)
      throw ControlError(error.message)
    }
  }

  deinit {
    listening = nil
    for descriptor in clients.keys { close(descriptor) }
    close(listener)
    unlink(path)
  }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let source = try? loop.watch(descriptor) { [unowned self] in read(descriptor) }
    guard let source else {
      close(descriptor)
      return
    }
    // Whoever keeps a connection for nothing makes room for those who ask.
    if clients.count >= Self.mostClients,
      let stalest = clients.min(by: { $0.value.number < $1.value.number })
    {
      drop(stalest.key)
    }
    accepted += 1
    clients[descriptor] = Client(source: source, number: accepted)
  }

  private func drop(_ descriptor: Int32) {
    clients[descriptor] = nil
    close(descriptor)
  }

  private func read(_ descriptor: Int32) {
    var chunk = [UInt8](repeating: 0, count: RequestLines.longest)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return drop(descriptor) }
    clients[descriptor]?.requests.append(chunk[..<count])
    while let request = clients[descriptor]?.requests.next() {
      guard respond(to: request, on: descriptor) else { return drop(descriptor) }
    }
    if let requests = clients[descriptor]?.requests, requests.isOverlong {
      _ = send(Self.refusal("a request is at most \(RequestLines.longest) bytes"), on: descriptor)
      drop(descriptor)
    }
  }

  private func respond(to request: [UInt8], on descriptor: Int32) -> Bool {
    do {
      return send(answer(try JSONValue(parsing: request)), on: descriptor)
    } catch {
      return send(Self.refusal("\(error); one line of JSON is expected"), on: descriptor)
    }
  }

  public static func refusal(_ why: String) -> JSONValue { .object([("error", .string(why))]) }

  private func send(_ json: JSONValue, on descriptor: Int32) -> Bool {
    let bytes = Array((json.text + "\n").utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}

public struct ControlError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  /// Another daemon answers there.
  public let isTaken: Bool

  public init(_ message: String, isTaken: Bool = false) {
    self.message = message
    self.isTaken = isTaken
  }
}
