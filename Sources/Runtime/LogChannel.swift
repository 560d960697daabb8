import Core
import Records

/// The destination of log events: the journal, once it is set up.
final class LogChannel {
  var sink: (LogEvent, BootInstant) -> Void = { _, _ in }
  /// Receives the same events; nil: no subscriber.
  var watcher: ((LogEvent, BootInstant) -> Void)?

  func receive(_ logEvent: LogEvent, _ now: BootInstant) {
    sink(logEvent, now)
    watcher?(logEvent, now)
  }

  func write(_ kind: String, _ text: String, level: LogEvent.Level = .info, at now: BootInstant) {
    receive(LogEvent(kind, text, level: level), now)
  }
}
