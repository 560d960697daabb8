import Quantities

/// UBX-AID-INI: time and place for receivers before UBX-MGA, u-blox 6 and 7. u-blox 6 receiver
/// description (GPS.G6-SW-10018), "AID-INI".
struct UBXInitialAiding {
  /// Bits of `flags`: the position is valid, the time is valid, the position is in latitude,
  /// longitude and altitude.
  private static let hasPosition: UInt32 = 1 << 0
  private static let hasTime: UInt32 = 1 << 1
  private static let isGeodetic: UInt32 = 1 << 5

  let frame: [UInt8]

  /// Nil when there is nothing to tell.
  init?(
    time: UTCInstant?, timeAccuracy: Seconds, position: Coordinate?, altitude: Metres?,
    placeAccuracy: Metres
  ) {
    let week = time.flatMap { GPSTime.week(of: $0) }
    guard week != nil || position != nil else { return nil }
    var payload: [UInt8] = []
    payload.append(littleEndian: UBXUnits.angle(position?.latitude ?? 0))
    payload.append(littleEndian: UBXUnits.angle(position?.longitude ?? 0))
    payload.append(littleEndian: UBXUnits.centimetres(altitude ?? 0))
    payload.append(littleEndian: UBXUnits.accuracy(placeAccuracy))
    payload += [0, 0]
    payload.append(littleEndian: UInt16(truncatingIfNeeded: week?.number ?? 0))
    let (milliseconds, rest) = (week?.nanoseconds ?? 0).quotientAndRemainder(
      dividingBy: 1_000_000)
    payload.append(littleEndian: UInt32(milliseconds))
    payload.append(littleEndian: Int32(rest))
    let (seconds, nanoseconds) = UBXUnits.split(timeAccuracy)
    payload.append(littleEndian: UInt32(seconds) * 1000 + nanoseconds / 1_000_000)
    payload.append(littleEndian: nanoseconds % 1_000_000)
    payload += [UInt8](repeating: 0, count: 8)
    let told = position == nil ? 0 : Self.hasPosition | Self.isGeodetic
    payload.append(littleEndian: told | (week == nil ? 0 : Self.hasTime))
    frame = UBXCommand.frame(0x0b, 0x01, payload)
  }
}
