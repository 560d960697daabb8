import Ports
import Core
import Platform
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// The daemon's control socket: a Unix socket on which one line of JSON is answered by one line of
/// JSON.
///
/// Access control is the file system's: mode 0660 and, if one is set, the service's group. Requests
/// are limited in length, clients in number, and a client that does not read its answer is
/// disconnected. Out of descriptors or memory, the oldest client is disconnected, or the listener
/// pauses.
public final class ControlSocket {
  static let maxClients = 16
  /// Bytes read at once.
  private static let chunk = 4096  // bytes
  static let firstPause = Seconds(1)
  static let maxPause = Seconds(60)

  private let loop: EventLoop
  private let path: String
  private let listener: Int32
  private let file: SocketFile
  private let connections: ConnectionQueue
  private let answer: (JSONValue) -> JSONValue
  private var listening: EventSource?
  private var pauseTimer: EventSource?
  private var pause = ControlSocket.firstPause
  private var isShort = false
  /// A problem although it listens: the group does not exist.
  private(set) var warning: String?
  private var clients: [Int32: Client] = [:]
  private var accepted = 0
  /// The client whose request is being answered.
  private var respondingTo: Int32?
  /// Clients that were disconnected to make room for others.
  private(set) var shedClients = 0
  /// Connections that could not be accepted.
  private(set) var failedConnections = 0
  /// Called with what people should know.
  var onLog: (LogEvent) -> Void = { _ in }

  private struct Client {
    var source: EventSource
    /// The sequence number of the connection.
    let number: Int
    var requests = RequestLines()
    /// Whether it subscribed to events.
    var watches = false
    /// It did not read its events.
    var failedToRead = false
  }

  init(
    path: String, group: String?, loop: EventLoop, answer: @escaping (JSONValue) -> JSONValue
  ) throws(PortError) {
    self.path = path
    self.loop = loop
    self.answer = answer
    (listener, file) = try UnixSocket.listen(path: path)
    connections = ConnectionQueue(listener)
    do throws(PortError) {
      if let group { try UnixSocket.setGroup(path, to: group) }
    } catch {
      warning = "\(error.message); until then only the daemon's own user is answered"
    }
    listening = try loop.watch(listener) { [unowned self] in accept() }
    pauseTimer = try loop.timer { [unowned self] in listening?.pause(false) }
  }

  deinit {
    listening = nil
    pauseTimer = nil
    for descriptor in clients.keys { close(descriptor) }
    // A socket that has replaced this one is not removed.
    try? SocketFile.alone(inFolderOf: path) { file.remove(at: path) }
    close(listener)
  }

  private func accept() {
    var outcome = connections.next()
    if case .noDescriptor = outcome, makeRoom() { outcome = connections.next() }
    switch outcome {
    case .connection(let descriptor): register(descriptor)
    case .nothing: break
    case .noDescriptor(let code), .failure(let code): leaveAlone(because: code)
    }
  }

  /// Makes room for a client by disconnecting the oldest one, without a subscription if possible.
  private func makeRoom() -> Bool {
    // Subscribers have a reason to stay connected.
    let idle = clients.filter { !$0.value.watches }
    let candidates = idle.isEmpty ? clients : idle
    guard let stalest = candidates.min(by: { $0.value.number < $1.value.number }) else {
      return connections.spendReserve()
    }
    shedClients += 1
    // The freed descriptor is for the next client, not for the reserve.
    clients[stalest.key] = nil
    close(stalest.key)
    return true
  }

  private func register(_ descriptor: Int32) {
    let source = try? loop.watch(descriptor) { [unowned self] in read(descriptor) }
    guard let source else {
      failedConnections += 1
      close(descriptor)
      connections.refillReserve()
      return
    }
    if clients.count >= Self.maxClients { _ = makeRoom() }
    accepted += 1
    clients[descriptor] = Client(source: source, number: accepted)
    pause = Self.firstPause
    if isShort { onLog(LogEvent("control-recovered", "connections are accepted again")) }
    isShort = false
  }

  /// A pending connection would wake the loop at once, so accepting pauses for a while.
  private func leaveAlone(because code: Int32) {
    failedConnections += 1
    if !isShort {
      let why = SystemError(code: code).text
      onLog(
        LogEvent(
          "control-short",
          "\(path): no connection can be accepted (\(why)); it is retried at growing intervals",
          level: .warning))
    }
    isShort = true
    listening?.pause(true)
    pauseTimer?.set(at: BootClock.now + pause)
    pause = min(pause * 2, Self.maxPause)
  }

  private func drop(_ descriptor: Int32) {
    clients[descriptor] = nil
    close(descriptor)
    connections.refillReserve()
  }

  private func read(_ descriptor: Int32) {
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return drop(descriptor) }
    clients[descriptor]?.requests.append(chunk[..<count])
    while let request = clients[descriptor]?.requests.next() {
      guard respond(to: request, on: descriptor) else { return drop(descriptor) }
    }
    if let requests = clients[descriptor]?.requests, requests.isOverlong {
      _ = send(
        Self.refusal("a request must have at most \(RequestLines.maxLength) bytes"), on: descriptor)
      drop(descriptor)
    }
  }

  /// Whether any client has subscribed to events.
  var isWatched: Bool { clients.values.contains(where: \.watches) }

  /// Subscribes the client whose request is being answered to events.
  func addWatcher() {
    if let respondingTo { clients[respondingTo]?.watches = true }
  }

  /// Sends an event to all subscribers. One that does not read is disconnected: sending never
  /// blocks.
  func broadcast(_ json: JSONValue) {
    for descriptor in clients.filter(\.value.watches).keys where !send(json, on: descriptor) {
      if descriptor == respondingTo {
        // Its descriptor must not be reused by another file before its answer is sent.
        clients[descriptor]?.watches = false
        clients[descriptor]?.failedToRead = true
      } else {
        drop(descriptor)
      }
    }
  }

  private func respond(to request: [UInt8], on descriptor: Int32) -> Bool {
    respondingTo = descriptor
    defer { respondingTo = nil }
    do {
      let answer = answer(try JSONValue(parsing: request))
      return send(answer, on: descriptor) && clients[descriptor]?.failedToRead == false
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
