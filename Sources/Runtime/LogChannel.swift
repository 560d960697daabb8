import Core
import Records

/// Where log events go: to the journal, as soon as it is known where that is.
final class LogChannel {
  var sink: (LogEvent, BootInstant) -> Void = { _, _ in }
  /// Who hears the same; nil: nobody does.
  var watcher: ((LogEvent, BootInstant) -> Void)?

  func receive(_ logEvent: LogEvent, _ now: BootInstant) {
    sink(logEvent, now)
    watcher?(logEvent, now)
  }

  func write(_ kind: String, _ text: String, level: LogEvent.Level = .info, at now: BootInstant) {
    receive(LogEvent(kind, text, level: level), now)
  }
}
