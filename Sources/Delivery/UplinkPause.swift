import Core

/// A time that a person has said nothing of is to leave the board.
public struct UplinkPause: Hashable, Sendable {
  public var start: UTCInstant
  public var end: UTCInstant

  public init(from start: UTCInstant, to end: UTCInstant) {
    self.start = start
    self.end = end
  }

  func contains(_ instant: UTCInstant) -> Bool { start <= instant && instant < end }
}
