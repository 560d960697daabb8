import Laboratory
import Notation
import Platform
import Quantities
import Runtime

/// Writes down what a daemon tells, for one run after the other. There may be no daemon.
final class EventRecording {
  private let daemon: ControlFollower
  private var file: PartialFile?
  /// The last that told a state.
  private var state: RunEvent?
  /// When the daemon was last looked for.
  private var lastLook = BootClock.now
  private var hasHeard = false

  /// - Parameter socket: of the daemon.
  init(socket: String) { daemon = ControlFollower(path: socket) }

  /// Why no daemon has ever told anything; nil: one has.
  var reproach: String? { hasHeard ? nil : daemon.failure ?? "it has not answered yet" }

  /// A new file, that begins with how things are. Given up, it is kept under another name.
  func begin(_ path: String) throws {
    file = nil
    listen { _ in }
    file = try PartialFile(path: path)
    if let state { try write(state) }
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
    try write(RunEvent(.end, at: BootClock.now))
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
    try file?.write(Array((event.json.text + "\n").utf8))
  }
}
