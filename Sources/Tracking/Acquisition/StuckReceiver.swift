import Core

/// Detects a receiver that sees satellites but gets no position, attempt after attempt.
///
/// After some short starts indoors a u-blox MAX-M8 got no fix for one to two hours under open sky,
/// until it was cold-started (PX4-GPSDrivers #26): its stored data was wrong.
struct StuckReceiver: Hashable, Sendable {
  /// Fewer satellites may simply be too few for a position.
  static let enough = 4

  /// The cold start follows this many failed attempts; nil: never.
  let limit: Int?
  /// Consecutive failed attempts with enough satellites in view.
  private(set) var searches = 0
  /// A cold start was done since the last fix: another one would only discard new data.
  private(set) var isReset = false

  init(limit: Int?) { self.limit = limit }

  mutating func failed(satellitesInView: Int) {
    searches = satellitesInView >= Self.enough ? searches + 1 : 0
  }

  mutating func succeeded() {
    searches = 0
    isReset = false
  }

  /// Whether the attempt that begins now should be a cold start.
  mutating func takeReset() -> Bool {
    guard let limit, searches >= limit, !isReset else { return false }
    isReset = true
    return true
  }
}

extension StuckReceiver {
  static let fields = SnapshotFields<StuckReceiver>([
    .kept("searches", \.searches, .count(0...1000)), .defaulted("reset", \.isReset, .flag, false),
  ])
}
