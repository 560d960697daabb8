import Core

/// Notices a receiver that sees satellites and finds no place, search after search.
///
/// After some short starts indoors a u-blox MAX-M8 found nothing for one to two hours under open
/// sky, until it was started cold (PX4-GPSDrivers #26): what it remembered was wrong.
struct StuckReceiver: Hashable, Sendable {
  /// Fewer satellites may just be too few for a place.
  static let enough = 4

  /// The cold start comes after this many searches; nil: never.
  let limit: Int?
  /// Failed searches with enough satellites in view, one after the other.
  private(set) var searches = 0
  /// It has been started cold since the last fix: doing so again would only lose what it gathers.
  private(set) var isReset = false

  init(limit: Int?) { self.limit = limit }

  mutating func failed(satellitesInView: Int) {
    searches = satellitesInView >= Self.enough ? searches + 1 : 0
  }

  mutating func succeeded() {
    searches = 0
    isReset = false
  }

  /// Whether the search that begins now should begin with nothing remembered.
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
