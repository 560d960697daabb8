import Core

/// All beacons that were received recently, for display: those of places and any others.
public struct RecentBeacons: Sendable {
  /// The limit of entries for display.
  private static let most = 64
  /// The time after which a beacon is removed.
  private static let retention: Seconds = 60

  public struct One: Sendable {
    public let beacon: BeaconIdentity
    public let lastReceived: BootInstant
    /// The median of the last seconds; nil: received too rarely, or with an unknown strength.
    public let strength: DecibelMilliwatts?
    /// In free space: half and twice the distance are as likely.
    public let distance: Metres?
    public let proximity: Proximity
    /// The number of receptions.
    public let count: Int
  }

  private struct Entry {
    var filter = ProximityFilter()
    var lastReception: BootInstant
    var count = 0
  }

  private var entries: [BeaconIdentity: Entry] = [:]

  public init() {}

  public mutating func received(
    _ frame: BeaconFrame, _ strength: DecibelMilliwatts, at now: BootInstant
  ) {
    if entries[frame.beacon] == nil, entries.count >= Self.most,
      let oldest = entries.min(by: { $0.value.lastReception < $1.value.lastReception })
    {
      entries[oldest.key] = nil
    }
    var entry = entries[frame.beacon] ?? Entry(lastReception: now)
    entry.lastReception = now
    entry.count += 1
    entry.filter.received(strength, strengthAtOneMetre: frame.strengthAtOneMetre, at: now)
    entries[frame.beacon] = entry
  }

  /// Sorted by distance, the nearest first.
  public mutating func all(at now: BootInstant) -> [One] {
    entries = entries.filter { now - $0.value.lastReception <= Self.retention }
    for beacon in entries.keys { entries[beacon]?.filter.update(at: now) }
    return entries.map { beacon, entry in
      One(
        beacon: beacon, lastReceived: entry.lastReception, strength: entry.filter.median,
        distance: entry.filter.distance, proximity: entry.filter.proximity, count: entry.count)
    }.sorted {
      ($0.distance?.value ?? .infinity, $0.beacon.description)
        < ($1.distance?.value ?? .infinity, $1.beacon.description)
    }
  }

  public mutating func forget() { entries = [:] }
}
