/// The instants that a local time can denote, including times around clock changes.
public enum LocalReading: Hashable, Sendable {
  case once(UTCInstant)
  /// The clock was put back, and showed this time twice.
  case twice(first: UTCInstant, second: UTCInstant)
  /// The clock was put forward and skipped this time. The instant uses the offset before the gap.
  case never(byOffsetBefore: UTCInstant)

  /// The instant by iCalendar's rule (RFC 5545 section 3.3.5, form #3): the first of two, and in a
  /// gap by the offset before it, so that 02:30 becomes what the clock shows as 03:30.
  public var instant: UTCInstant {
    switch self {
    case .once(let instant), .twice(first: let instant, second: _),
      .never(byOffsetBefore: let instant):
      instant
    }
  }
}
