import RadioSignals
import Core

/// Finds the beacons among the devices that BlueZ reports.
struct DeviceReader {
  /// At most so many answers are pending at a time: in a crowd the other devices are received
  /// again.
  private static let maxPendingQueries = 8
  /// BlueZ's value for an unknown strength.
  static let unknownStrength: DecibelMilliwatts = 127
  /// Tags of the queries are above this.
  static let firstTag = 1000

  enum Finding {
    case beacon(BeaconFrame, DecibelMilliwatts)
    /// A device that is not a beacon, or not known to be one.
    case other
    /// Nothing was received now.
    case nothing
  }

  private struct Query {
    var path: String
    /// A monitor has found it: it counts whenever it was received.
    var isFound: Bool
  }

  private var knownBeacons = KnownBeacons()
  private var pendingQueries: [Int: Query] = [:]
  private var lastTag = DeviceReader.firstTag
  /// Beacons found by monitors, by path.
  private var found: [String: BeaconIdentity] = [:]

  // MARK: Advertisements

  /// - Parameter properties: a message positioned at the changed properties of that device.
  mutating func changed(_ properties: BusMessage, at path: String, ask: (Int) -> Void) -> Finding {
    let device = ScannedDevice(properties)
    guard device.isReceived else { return .nothing }
    if let frame = device.frame { knownBeacons.note(.beacon(frame), at: path) }
    switch knownBeacons[path] {
    case .beacon(let frame): return .beacon(frame, device.strength ?? Self.unknownStrength)
    case .other: return .other
    case nil:
      self.query(path, isFound: false, ask)
      return .other
    }
  }

  /// - Parameter properties: all properties of a new device.
  mutating func appeared(_ properties: BusMessage, at path: String) -> Finding {
    let device = ScannedDevice(properties)
    knownBeacons.note(device.frame.map { .beacon($0) } ?? .other, at: path)
    guard device.isReceived else { return .nothing }
    return device.frame.map { .beacon($0, device.strength ?? Self.unknownStrength) } ?? .other
  }

  // MARK: Monitors

  mutating func foundByMonitor(_ path: String, ask: (Int) -> Void) {
    self.query(path, isFound: true, ask)
  }

  /// - Returns: nil if it was not a beacon that counts.
  mutating func lostByMonitor(_ path: String) -> BeaconIdentity? {
    for (tag, question) in pendingQueries where question.path == path {
      pendingQueries[tag]?.isFound = false
    }
    guard let beacon = found.removeValue(forKey: path) else { return nil }
    // The same beacon may have been found under another address.
    return found.values.contains(beacon) ? nil : beacon
  }

  func hasFound(_ beacon: BeaconIdentity) -> Bool { found.values.contains(beacon) }

  mutating func forgetMonitors() { found = [:] }

  // MARK: Answers

  /// - Returns: the beacon that a monitor has found.
  mutating func answered(_ properties: BusMessage, tag: Int) -> Finding {
    guard let question = pendingQueries.removeValue(forKey: tag) else { return .nothing }
    let device = ScannedDevice(properties)
    knownBeacons.note(device.frame.map { .beacon($0) } ?? .other, at: question.path)
    guard question.isFound, let frame = device.frame else { return .nothing }
    found[question.path] = frame.beacon
    return .beacon(frame, device.strength ?? Self.unknownStrength)
  }

  mutating func refused(tag: Int) { pendingQueries[tag] = nil }

  mutating func gone(_ path: String) { knownBeacons.forget(path) }

  mutating func forgetAll() { self = DeviceReader() }

  private mutating func query(_ path: String, isFound: Bool, _ ask: (Int) -> Void) {
    if let tag = pendingQueries.first(where: { $0.value.path == path })?.key {
      if isFound { pendingQueries[tag]?.isFound = true }
      return
    }
    // A monitor reports a beacon as found only once.
    guard isFound || pendingQueries.count < Self.maxPendingQueries else { return }
    lastTag += 1
    pendingQueries[lastTag] = Query(path: path, isFound: isFound)
    ask(lastTag)
  }
}
