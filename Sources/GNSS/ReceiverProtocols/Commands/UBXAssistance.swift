import Core

/// Assistance for a u-blox receiver, and the requests for its own navigation data. M8 receiver
/// description (UBX-13003221), chapters "UBX-MGA" and "UBX-UPD-SOS".
enum UBXAssistance {
  /// UBX-MGA-INI-TIME_UTC: the time at the receipt of the message. The leap seconds are declared as
  /// unknown.
  ///
  /// - Parameter accuracy: limited to 1 ms...18 h; NaN counts as the worst.
  static func time(_ instant: UTCInstant, accuracy: Seconds) -> [UInt8] {
    let civil = CivilTime(instant)
    let (seconds, nanoseconds) = UBXUnits.split(accuracy)
    // Type 0x10, version 0, reference: receipt of the message; -128: leap seconds unknown.
    var payload: [UInt8] = [0x10, 0, 0, 0x80]
    payload.append(littleEndian: UInt16(civil.year))
    payload += [civil.month, civil.day, civil.hour, civil.minute, min(civil.second, 59)].map {
      UInt8($0)
    }
    payload.append(0)
    payload.append(littleEndian: UInt32(civil.nanosecond))
    payload.append(littleEndian: seconds)
    payload += [0, 0]
    payload.append(littleEndian: nanoseconds)
    return UBXCommand.frame(0x13, 0x40, payload)
  }

  /// UBX-MGA-INI-POS_LLH.
  ///
  /// - Parameters:
  ///   - altitude: above the ellipsoid; nil counts as 0 m, and the accuracy must cover that.
  ///   - accuracy: one standard deviation, limited to 1 cm...40,000 km.
  static func position(
    _ position: Coordinate, altitude: Metres?, accuracy: Metres
  ) -> [UInt8] {
    var payload: [UInt8] = [0x01, 0, 0, 0]
    payload.append(littleEndian: UBXUnits.angle(position.latitude))
    payload.append(littleEndian: UBXUnits.angle(position.longitude))
    payload.append(littleEndian: UBXUnits.centimetres(altitude ?? 0))
    payload.append(littleEndian: UBXUnits.accuracy(accuracy))
    return UBXCommand.frame(0x13, 0x40, payload)
  }

  /// UBX-UPD-SOS, create: saves navigation data and state to the receiver's flash, if it has one.
  /// Send `UBXCommand.stopGnss` before. Answered by UBX-UPD-SOS with the result.
  static let saveNavigationData = UBXCommand.frame(0x09, 0x14, [0, 0, 0, 0])
  /// UBX-UPD-SOS, clear: prevents that the restored data is restored again. Acknowledged.
  static let clearSavedNavigationData = UBXCommand.frame(0x09, 0x14, [1, 0, 0, 0])
  /// UBX-UPD-SOS, poll: queries whether data was restored at the start.
  static let pollSavedNavigationData = UBXCommand.frame(0x09, 0x14)

  /// UBX-MGA-DBD, poll: the receiver sends its navigation database in many messages, which can be
  /// sent back to it after a power cut.
  static let pollDatabase = UBXCommand.frame(0x13, 0x80)
}

/// UBX-AID-INI: time and position for u-blox 6 and 7, which have no UBX-MGA. u-blox 6 receiver
/// description (GPS.G6-SW-10018), "AID-INI".
struct UBXInitialAiding {
  /// Bits of `flags`: the position is valid, the time is valid, the position is in latitude,
  /// longitude and altitude.
  private static let hasPosition: UInt32 = 1 << 0
  private static let hasTime: UInt32 = 1 << 1
  private static let isGeodetic: UInt32 = 1 << 5

  let frame: [UInt8]

  /// Nil without time and position.
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
    let flags = position == nil ? 0 : Self.hasPosition | Self.isGeodetic
    payload.append(littleEndian: flags | (week == nil ? 0 : Self.hasTime))
    frame = UBXCommand.frame(0x0b, 0x01, payload)
  }
}
