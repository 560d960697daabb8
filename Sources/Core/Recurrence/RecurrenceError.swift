/// Why a recurrence rule or a schedule is rejected.
public enum RecurrenceError: Error, Hashable, Sendable {
  /// More bytes than `Schedule.maximumTextLength`.
  case tooLong(bytes: Int)
  /// A part of the rule, or a line, that does not follow iCalendar's syntax.
  case malformed(String)
  /// A number or word that the part does not allow.
  case badValue(part: String, value: String)
  case repeated(String)
  case missing(String)
  /// A feature of iCalendar that Godwit does not support, and what to write instead.
  case unsupported(String, instead: String)
  /// Two parts that exclude each other.
  case conflicting(String, String)
  /// BYSETPOS without another BY… part.
  case positionsOfNothing
  case unknownZone(String)
  /// It ends before it begins, or is longer than `NominalDuration.maximum`.
  case badDuration
  /// It has no duration, where periods of time are required.
  case noDuration
  /// A date or time that does not exist, or one with a fraction of a second.
  case noSuchTime
  /// More than `Schedule.maximumExceptions`.
  case tooManyExceptions
}

extension RecurrenceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLong(let bytes):
      "has \(bytes) bytes, but at most \(Schedule.maximumTextLength) are read"
    case .malformed(let text): "has the malformed \(text); write it as RFC 5545 does"
    case .badValue(let part, let value): "has \(part)=\(value), which is out of range or unknown"
    case .repeated(let part): "has \(part) twice; write it once"
    case .missing(let part): "has no \(part); write one"
    case .unsupported(let part, let instead): "has \(part), which is not supported; \(instead)"
    case .conflicting(let a, let b): "has \(a) and \(b), which exclude each other; leave one out"
    case .positionsOfNothing: "has BYSETPOS alone; it counts the days of another BY… part"
    case .unknownZone(let name):
      "has the unknown time zone \(name); write for instance Europe/Berlin"
    case .badDuration: "ends before it begins, or lasts more than \(NominalDuration.maximum) days"
    case .noDuration: "has no duration, so it is never on; write DTEND or DURATION"
    case .noSuchTime: "begins at a time that does not exist, or not at a whole second"
    case .tooManyExceptions: "has more than \(Schedule.maximumExceptions) exceptions"
    }
  }
}
