import Glibc
import Laboratory
import Notation
import Platform
import Quantities
import Runtime

/// Writes down what a daemon tells, for one run after the other. There may be no daemon.
final class EventRecording {
  private let daemon: ControlFollower
  private var file: (descriptor: Int32, path: String)?
  /// The last that told a state.
  private var state: RunEvent?
  /// Whether any daemon has ever answered.
  private(set) var hasHeard = false

  /// - Parameter socket: of the daemon.
  init(socket: String) { daemon = ControlFollower(path: socket) }

  deinit { end() }

  /// A new file, that begins with how things are.
  func begin(_ path: String) throws {
    listen { _ in }
    end()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileFailure("write", path, code: errno) }
    file = (descriptor, path)
    if let state { try write(state) }
  }

  /// Writes what has come since the last time.
  func poll() throws {
    var events: [RunEvent] = []
    listen { events.append($0) }
    for event in events { try write(event) }
  }

  func end() {
    if let file { close(file.descriptor) }
    file = nil
  }

  private func listen(_ body: (RunEvent) -> Void) {
    for news in daemon.take() {
      switch news {
      case .lost:
        state = nil
        body(RunEvent(.receiver(state: nil), at: BootClock.now))
      case .line(let line):
        hasHeard = true
        guard let event = RunEvent(line) else { continue }
        if case .receiver = event.kind { state = event }
        body(event)
      }
    }
  }

  private func write(_ event: RunEvent) throws(FileFailure) {
    guard let file else { return }
    let line = Array((event.json.text + "\n").utf8)
    try OutputBytes.write(line, to: file.descriptor, name: file.path)
  }
}
