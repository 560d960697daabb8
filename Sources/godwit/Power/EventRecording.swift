import Analysis
import Core
import Platform
import Runtime

/// Writes down what a daemon tells, for one run after the other. There may be no daemon.
final class EventRecording {
  /// Ten days of a fix a second: more is a flood, and the file then does not say that it is all.
  private static let mostEvents = 1_000_000
  /// A daemon answers within milliseconds.
  private static let patience: Seconds = 0.5

  private let socket: String
  private var daemon: ControlFollower
  private var file: PartialFile?
  private var written = 0
  /// The last that told a state.
  private var state: RunEvent?
  /// When the daemon was last looked for.
  private var lastLook = BootClock.now
  private var hasHeard = false

  /// - Parameter socket: of the daemon.
  init(socket: String) {
    self.socket = socket
    daemon = ControlFollower(path: socket)
  }

  /// Why no daemon has ever told anything; nil: one has.
  var reproach: String? { hasHeard ? nil : daemon.failure ?? "it has not answered yet" }

  /// A new file, that begins with how things are. Given up, it is kept under another name.
  func begin(_ path: String) throws {
    file = nil
    renew()
    file = try PartialFile(path: path)
    written = 0
    if let state { try write(state) }
  }

  /// Asks how things are: a daemon that hangs keeps its connection and tells nothing.
  private func renew() {
    listen { _ in }
    let before = state
    state = nil
    daemon = ControlFollower(path: socket)
    let end = BootClock.now + Self.patience
    listen { _ in }
    while state == nil, daemon.isConnected, BootClock.now < end {
      BootClock.wait(until: BootClock.now + 0.01)
      listen { _ in }
    }
    // Since when it has been so is known already.
    if let before, state?.kind == before.kind { state = before }
  }

  /// Writes what has come since the last time.
  func poll() throws {
    var events: [RunEvent] = []
    listen { events.append($0) }
    for event in events { try write(event) }
  }

  /// Completes the file: on the disk before the recording is.
  func end() throws {
    try poll()
    if written < Self.mostEvents { try write(RunEvent(.end, at: BootClock.now)) }
    try file?.commit()
    file = nil
  }

  private func listen(_ body: (RunEvent) -> Void) {
    let before = lastLook
    lastLook = BootClock.now
    for update in daemon.take() {
      switch update {
      case .lost:
        // It may have been lost at any time since it was last found there.
        let news = RunEvent(.receiver(state: nil), at: before)
        if state?.kind != news.kind { body(news) }
        state = news
      case .line(let line):
        guard let event = RunEvent(line) else { continue }
        hasHeard = true
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
