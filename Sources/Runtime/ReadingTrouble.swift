/// Tracks failures to read places and alerts while the store accepts records.
struct ReadingTrouble {
  private var last: String?
  /// The reported error, while it lasts.
  private(set) var told: String?

  /// A single failure may come from another program's write: only the second in a row is reported.
  /// - Returns: whether to report it.
  mutating func failed(_ message: String) -> Bool {
    let stays = last != nil
    last = message
    guard stays, told != message else { return false }
    told = message
    return true
  }

  /// - Returns: whether to report the recovery.
  mutating func passed() -> Bool {
    defer { self = ReadingTrouble() }
    return told != nil
  }
}
