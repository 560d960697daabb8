import RadioSignals

/// Which of the devices in range are beacons, by path: for a device that BlueZ has reported before,
/// it sends the strength alone.
struct KnownBeacons {
  /// In a crowd there are thousands, and phones change their addresses every quarter of an hour.
  static let most = 2048

  enum Entry {
    case beacon(BeaconFrame)
    /// Not a beacon, as far as is known.
    case other
  }

  private var entries: [String: Entry] = [:]

  subscript(path: String) -> Entry? { entries[path] }

  mutating func note(_ entry: Entry, at path: String) {
    if entries[path] == nil, entries.count >= Self.most { makeRoom() }
    entries[path] = entry
  }

  mutating func forget(_ path: String) { entries[path] = nil }
  mutating func forgetAll() { entries = [:] }

  /// Forgotten devices are queried again when they are received.
  private mutating func makeRoom() {
    entries = entries.filter { if case .beacon = $0.value { true } else { false } }
    if entries.count >= Self.most { entries = [:] }
  }
}
