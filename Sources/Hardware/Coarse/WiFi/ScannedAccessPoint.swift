import CNetlink
import Core

/// An access point in the kernel's cache (NL80211_ATTR_BSS).
struct ScannedAccessPoint: Equatable {
  let address: HardwareAddress
  /// In dBm, -100 to -20.
  let strength: Double
  /// How long ago it was last received.
  let age: Seconds
  /// Whether this board is joined to it.
  let isJoined: Bool
  /// Whether it may be used for the board's position (`AccessPointFilter`).
  let isUsable: Bool
}

extension ScannedAccessPoint {
  /// Nil: the message is about no access point.
  init?(_ message: NetlinkMessage, at now: BootInstant) {
    guard let (_, attributes) = message.split(genlmsghdr.self),
      let parts = attributes.first(NL80211_ATTR_BSS.rawValue)?.nested,
      let bssid = parts.first(NL80211_BSS_BSSID.rawValue)?.payload,
      let address = HardwareAddress(bssid)
    else { return nil }
    let status: UInt32? = parts.first(NL80211_BSS_STATUS.rawValue)?.value()
    let names = Self.names(parts)
    self.init(
      address: address, strength: Self.strength(parts), age: Self.age(parts, at: now),
      isJoined: status == NL80211_BSS_STATUS_ASSOCIATED.rawValue,
      isUsable: !names.isEmpty
        && names.allSatisfy { AccessPointFilter.isUsable(ssid: $0, address) })
  }

  private static func strength(_ parts: NetlinkAttributes) -> Double {
    if let hundredths: Int32 = parts.first(NL80211_BSS_SIGNAL_MBM.rawValue)?.value() {
      return min(max(Double(hundredths) / 100, -100), -20)
    }
    // A percentage on the driver's scale; converted as NetworkManager's percentages are.
    let share: UInt8? = parts.first(NL80211_BSS_SIGNAL_UNSPEC.rawValue)?.value()
    return share.map { -100 + 0.6 * Double(min($0, 100)) } ?? -100
  }

  /// The second attribute does not count time in suspend, but many drivers lack the first one.
  private static func age(_ parts: NetlinkAttributes, at now: BootInstant) -> Seconds {
    if let moment: UInt64 = parts.first(NL80211_BSS_LAST_SEEN_BOOTTIME.rawValue)?.value(),
      moment > 0, let nanoseconds = Int64(exactly: moment)
    {
      return max(0, now - BootInstant(nanoseconds: nanoseconds))
    }
    let milliseconds: UInt32? = parts.first(NL80211_BSS_SEEN_MS_AGO.rawValue)?.value()
    return Seconds(Double(milliseconds ?? 0) / 1000)
  }

  /// Its names in probe responses and in beacons: a hidden access point sends its name only in
  /// response to a probe with it, and is hidden nevertheless.
  private static func names(_ parts: NetlinkAttributes) -> [UnsafeRawBufferPointer] {
    [NL80211_BSS_INFORMATION_ELEMENTS, NL80211_BSS_BEACON_IES].compactMap { kind in
      parts.first(kind.rawValue).flatMap { name(in: $0.payload) }
    }
  }

  /// The first element with the number 0 (IEEE 802.11-2020, 9.4.2.2): a number, a length, the name.
  private static func name(in elements: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var position = 0
    while position + 2 <= elements.count {
      let end = position + 2 + Int(elements[position + 1])
      guard end <= elements.count else { return nil }
      if elements[position] == 0 {
        return UnsafeRawBufferPointer(rebasing: elements[position + 2..<end])
      }
      position = end
    }
    return nil
  }
}
