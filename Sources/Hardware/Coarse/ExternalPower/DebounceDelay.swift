import Core

/// How long a level may take to settle after an edge. The delay doubles while it does not settle,
/// so that a loose contact costs a few wakes a minute.
struct DebounceDelay: Equatable {
  /// Contacts bounce for milliseconds, relays for some ten.
  static let first = Seconds(0.05)
  static let longest = Seconds(10)
  /// A level that stays for so long has settled.
  static let settled = Seconds(2)

  private var pause = DebounceDelay.first

  /// - Parameter quiet: how long the level was listened to without an edge.
  mutating func next(after quiet: Seconds) -> Seconds {
    if quiet >= Self.settled { pause = Self.first }
    defer { pause = min(pause * 2, Self.longest) }
    return pause
  }
}
