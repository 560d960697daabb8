import Records

/// The access points received at a place, collected from several scans: each scan misses some.
struct Fingerprint: Hashable, Sendable {
  /// A scan in a block of flats finds about thirty; hundreds mean a railway station.
  static let maxAccessPoints = 64
  /// With fewer, a scan that finds none of them may have missed them all.
  private static let fewest = 3
  /// The detection limit in dBm.
  private static let faintest = -100.0

  /// In the order of first reception.
  private(set) var accessPoints: [String] = []

  /// Whether it distinguishes one place from another.
  var isDistinctive: Bool { accessPoints.count >= Self.fewest }

  mutating func add(_ scan: [AccessPointSignal], except travelling: [String]) {
    for signal in scan where accessPoints.count < Self.maxAccessPoints {
      guard signal.bssid.utf8.count <= CoarseLocationFilter.maxNameLength,
        !accessPoints.contains(signal.bssid), !travelling.contains(signal.bssid)
      else { continue }
      accessPoints.append(signal.bssid)
    }
  }

  /// The share of a scan that belongs to this place, 0...1. A strong signal is near and counts for
  /// more. Nil where the scan is too small.
  func similarity(to scan: [AccessPointSignal], except travelling: [String]) -> Double? {
    var known = 0.0
    var all = 0.0
    var received = 0
    for signal in scan.prefix(Self.maxAccessPoints) where !travelling.contains(signal.bssid) {
      let weight = max(1, signal.strength - Self.faintest)
      guard weight.isFinite else { continue }
      received += 1
      all += weight
      if accessPoints.contains(signal.bssid) { known += weight }
    }
    // A single unknown access point may be a passer-by's telephone.
    guard isDistinctive, known > 0 || received > 1 else { return nil }
    return known / all
  }
}
