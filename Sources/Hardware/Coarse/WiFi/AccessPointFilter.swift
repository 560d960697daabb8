/// Which access points may be used for the board's position.
///
/// Excluded are those whose owners have opted out, and those that are likely to move:
///
/// * Names that end in "_nomap" (Google's rule, which the Ichnaea services adopted) or "_optout"
///   (Microsoft's; if both are wanted, "_nomap" stands last).
/// * Hidden names, empty or all zero: their owners did not want to be visible.
/// * Addresses not assigned by the manufacturer (IEEE 802-2014, 8.2: the U/L bit, 0x02 of the first
///   byte): phones that share their connection draw a new one now and then. This also excludes some
///   secondary networks of ordinary access points, whose first one is received as well.
/// * Groups (I/G bit, 0x01), which no station has, and the all-zero address.
enum AccessPointFilter {
  /// - Parameters:
  ///   - ssid: as received: 0 to 32 bytes, not necessarily text.
  ///   - bssid: six bytes in hexadecimal digits of either case, separated by colons. Anything else
  ///     is not usable.
  static func isUsable(ssid: [UInt8], bssid: String) -> Bool {
    guard let address = HardwareAddress(bssid) else { return false }
    return isUsable(ssid: ssid[...], address)
  }

  static func isUsable(ssid: some BidirectionalCollection<UInt8>, _ address: HardwareAddress)
    -> Bool
  {
    guard !address.isGroup, !address.isLocallyAdministered, !address.isZero else { return false }
    guard ssid.contains(where: { $0 != 0 }) else { return false }
    return !optOuts.contains { ending in ssid.reversed().starts(with: ending.reversed()) }
  }

  private static let optOuts: [[UInt8]] = [Array("_nomap".utf8), Array("_optout".utf8)]
}
