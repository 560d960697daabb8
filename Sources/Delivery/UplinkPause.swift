import Core

/// A time for which a person has excluded all records.
public struct UplinkPause: Hashable, Sendable {
  public var start: UTCInstant
  public var end: UTCInstant

  public init(from start: UTCInstant, to end: UTCInstant) {
    self.start = start
    self.end = end
  }

  func contains(_ instant: UTCInstant) -> Bool { start <= instant && instant < end }
}
