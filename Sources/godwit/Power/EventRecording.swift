import Analysis
import Core
import Platform
import Runtime

/// Records the events of a daemon, run after run. There may be no daemon.
final class EventRecording {
  /// Ten days with one fix a second: more is a flood, and the file then has no end mark.
  private static let mostEvents = 1_000_000
  /// A daemon normally answers within milliseconds.
  private static let timeout: Seconds = 0.5

  private let socket: String
  private var daemon: ControlFollower
  private var file: PartialFile?
  private var written = 0
  /// The last event with a receiver state.
  private var state: RunEvent?
  /// When the daemon was last polled.
  private var lastPoll = BootClock.now
  private var hasReceived = false

  /// - Parameter socket: the daemon's control socket.
  init(socket: String) {
    self.socket = socket
    daemon = ControlFollower(path: socket)
  }

  /// Why no daemon has ever sent an event; nil: one has.
  var failureText: String? { hasReceived ? nil : daemon.failure ?? "it has not answered yet" }

  /// Begins a new file with the present state. An abandoned file stays under another name.
  func begin(_ path: String) throws {
    file = nil
    renew()
    file = try PartialFile(path: path)
    written = 0
    if let state { try write(state) }
  }

  /// Queries the present state with a new connection: a daemon that hangs keeps its connection
  /// without sending anything.
  private func renew() {
    listen { _ in }
    let before = state
    state = nil
    daemon = ControlFollower(path: socket)
    let end = BootClock.now + Self.timeout
    listen { _ in }
    while state == nil, daemon.isConnected, BootClock.now < end {
      BootClock.wait(until: BootClock.now + 0.01)
      listen { _ in }
    }
    // The start of an unchanged state is known already.
    if let before, state?.kind == before.kind { state = before }
  }

  /// Writes the events since the last call.
  func poll() throws {
    var events: [RunEvent] = []
    listen { events.append($0) }
    for event in events { try write(event) }
  }

  /// Completes the file, and syncs it to the disk before the recording.
  func end() throws {
    try poll()
    if written < Self.mostEvents { try write(RunEvent(.end, at: BootClock.now)) }
    try file?.commit()
    file = nil
  }

  private func listen(_ body: (RunEvent) -> Void) {
    let before = lastPoll
    lastPoll = BootClock.now
    for update in daemon.updates() {
      switch update {
      case .lost:
        // It may have been lost at any time since the last poll.
        let news = RunEvent(.receiver(state: nil), at: before)
        if state?.kind != news.kind { body(news) }
        state = news
      case .line(let line):
        guard let event = RunEvent(line) else { continue }
        hasReceived = true
        if case .receiver = event.kind { state = event }
        body(event)
      }
    }
  }

  private func write(_ event: RunEvent) throws(FileFailure) {
    guard written < Self.mostEvents else { return }
    written += 1
    try file?.write(Array((event.json.text + "\n").utf8))
  }
}
