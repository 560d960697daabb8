import Core

/// A notable decision, for the decision log and for `status`.
public struct LogEvent: Hashable, Sendable {
  public enum Level: String, StoredWord {
    case debug, info, warning, error

    public var meaning: String {
      switch self {
      case .debug: "An event that occurs hundreds of times a day; only in the journal."
      case .info: "A decision."
      case .warning: "A part did not work as it should."
      case .error: "The last message of a daemon; only in the journal."
      }
    }
  }

  public var level: Level
  /// A stable word for programs: "gnss-on", "fix-rejected", "backed-off".
  public var kind: String
  /// One sentence for people, with its figures and units.
  public var reason: String

  public init(_ kind: EventKind, _ reason: String, level: Level = .info) {
    self.init(kind.rawValue, reason, level: level)
  }

  public init(_ kind: String, _ reason: String, level: Level = .info) {
    self.kind = kind
    self.reason = reason
    self.level = level
  }
}

/// A line of the decision log.
public struct TimedLogEvent: Hashable, Sendable {
  public let logEvent: LogEvent
  /// Nil while the date is unknown.
  public let time: UTCInstant?

  public init(_ logEvent: LogEvent, time: UTCInstant?) {
    self.logEvent = logEvent
    self.time = time
  }
}

extension TimedLogEvent: StoredRecord {
  public static let table = RecordTable<Self>(
    "events", "Decision log", key: .counted, time: "time",
    columns: [
      .optionalTime("time", "Time of the event; empty while the date is unknown.") { $0.time },
      .word("level", "Severity of the event.") { $0.logEvent.level },
      .text(
        "kind", "Kind of the event; stores of earlier versions may have other words.",
        words: EventKind.meanings
      ) { $0.logEvent.kind },
      .text("reason", "Reason, a sentence with the figures.") { $0.logEvent.reason },
    ])

  public init(row: RowReader) throws(DamagedColumn) {
    time = try row.optionalTime("time")
    logEvent = LogEvent(try row.text("kind"), try row.text("reason"), level: try row.word("level"))
  }

  public var record: Record { .event(logEvent, time: time) }
  public var lastChange: UTCInstant? { time }
  public var needsDate: Bool { time == nil }

  public func dated(
    at moment: BootInstant, by date: (BootInstant) -> UTCInstant?
  ) -> TimedLogEvent { TimedLogEvent(logEvent, time: date(moment)) }
}
