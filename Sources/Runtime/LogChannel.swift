import Quantities
import Records

/// Where log events go: to the journal, as soon as it is known where that is.
final class LogChannel {
  var receive: (LogEvent, BootInstant) -> Void = { _, _ in }

  func write(_ kind: String, _ text: String, level: LogEvent.Level = .info, at now: BootInstant) {
    receive(LogEvent(kind, text, level: level), now)
  }
}
