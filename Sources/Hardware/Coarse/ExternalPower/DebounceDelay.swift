import Core

/// How long a level is given to settle after an edge. One that does not settle is given more and
/// more, so that a loose contact costs a few wakes a minute.
struct DebounceDelay: Equatable {
  /// Contacts bounce for milliseconds, relays for some ten.
  static let first = Seconds(0.05)
  static let longest = Seconds(10)
  /// What stays for so long has settled.
  static let settled = Seconds(2)

  private var pause = DebounceDelay.first

  /// - Parameter quiet: how long there was no edge while the level was listened to.
  mutating func next(after quiet: Seconds) -> Seconds {
    if quiet >= Self.settled { pause = Self.first }
    defer { pause = min(pause * 2, Self.longest) }
    return pause
  }
}
