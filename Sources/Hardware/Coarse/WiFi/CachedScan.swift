import Core
import Records

/// The last scan, from the kernel's cache. That also contains scans of other programs, partial
/// scans and the beacons of the access point that the board is joined to.
struct CachedScan {
  /// A scan of all channels takes 3 to 8 s; older entries belong to another scan, and perhaps to
  /// another place.
  static let window = Seconds(15)
  static let maxKept = 64
  /// From this number on the weaker half is dropped: the memory is bounded.
  private static let room = 512

  private var scanned: [ScannedAccessPoint] = []
  private var joined: ScannedAccessPoint?

  mutating func add(_ one: ScannedAccessPoint) {
    // It is received all the time, and does not show when a scan was.
    guard !one.isJoined else { return joined = one }
    scanned.append(one)
    if scanned.count >= Self.room { thin(to: Self.room / 2) }
  }

  /// Nil: there was no recent scan.
  /// - Parameter hasJustScanned: whether a scan is known to have ended in the last seconds.
  ///   Otherwise the joined access point alone does not count as a scan that received nothing else.
  func result(hasJustScanned: Bool) -> AccessPointScan? {
    let newest = scanned.map(\.age).min()
    guard newest != nil || hasJustScanned else { return nil }
    let age = newest ?? joined?.age ?? 0
    let kept = (scanned + (joined.map { [$0] } ?? []))
      .filter { $0.age <= age + Self.window && $0.isUsable }
      .sorted { $0.strength > $1.strength }.prefix(Self.maxKept)
    return AccessPointScan(
      kept.map { AccessPointSignal(bssid: $0.address.text, strength: $0.strength) }, age: age)
  }

  private mutating func thin(to count: Int) {
    guard let newest = scanned.min(by: { $0.age < $1.age }) else { return }
    scanned.removeAll { $0.age > newest.age + Self.window || !$0.isUsable && $0 != newest }
    scanned.sort { $0.strength > $1.strength }
    scanned.removeLast(max(0, scanned.count - count))
    // Its time counts, even if it is not usable itself.
    if !scanned.contains(newest) { scanned.append(newest) }
  }
}
