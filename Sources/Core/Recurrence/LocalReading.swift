/// Which instants a local time of day can mean where clocks are put forward and back.
public enum LocalReading: Hashable, Sendable {
  case once(UTCInstant)
  /// The clock was put back and showed it twice.
  case twice(first: UTCInstant, second: UTCInstant)
  /// The clock was put forward and never showed it; with the offset before the gap it is this.
  case never(byOffsetBefore: UTCInstant)

  /// As iCalendar reads it (RFC 5545 section 3.3.5, form #3): the first of two, and in a gap by the
  /// offset before it, so that 02:30 becomes what the clock shows as 03:30.
  public var instant: UTCInstant {
    switch self {
    case .once(let instant), .twice(first: let instant, second: _),
      .never(byOffsetBefore: let instant):
      instant
    }
  }
}
