/// Tracks failures to read places and alerts while the store accepts records.
struct ReadFailureTracker {
  private var last: String?
  /// The reported error, while it lasts.
  private(set) var reportedFailure: String?

  /// A single failure may come from another program's write: only the second in a row is reported.
  /// - Returns: whether to report it.
  mutating func failed(_ message: String) -> Bool {
    let stays = last != nil
    last = message
    guard stays, reportedFailure != message else { return false }
    reportedFailure = message
    return true
  }

  /// - Returns: whether to report the recovery.
  mutating func passed() -> Bool {
    defer { self = ReadFailureTracker() }
    return reportedFailure != nil
  }
}
