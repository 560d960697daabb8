/// Why places and alerts cannot be read, although the store takes records.
struct ReadingTrouble {
  private var last: String?
  /// What was told, as long as it lasts.
  private(set) var told: String?

  /// Another program may be writing just now: only what comes twice in a row stays.
  /// - Returns: whether it is to be told.
  mutating func failed(_ message: String) -> Bool {
    let stays = last != nil
    last = message
    guard stays, told != message else { return false }
    told = message
    return true
  }

  /// - Returns: whether that is to be told.
  mutating func passed() -> Bool {
    defer { self = ReadingTrouble() }
    return told != nil
  }
}
