import Geodesy
import Quantities

// The messages that receivers before NAV-PVT (u-blox 4 to 6) and time or high-precision receivers
// send instead of it or beside it. All begin with the time of week in milliseconds, except where
// said. u-blox 6 receiver description and M8/F9 interface descriptions, chapter "UBX-NAV".

extension Epoch {
  /// NAV-POSLLH, 28 bytes.
  mutating func takePOSLLH(_ message: UBXMessage) {
    // NAV-PVT says the same, NAV-HPPOSLLH says it better.
    guard latitude.isNaN else { return }
    place(Double(message.i32(8)) / 1e7, Double(message.i32(4)) / 1e7)
    altitudeHAE = Double(message.i32(12)) / 1000
    altitudeMSL = Double(message.i32(16)) / 1000
    separation = Double(Int64(message.i32(12)) - Int64(message.i32(16))) / 1000
    horizontalError = Double(message.u32(20)) / 1000
    verticalError = Double(message.u32(24)) / 1000
  }

  /// NAV-HPPOSLLH, 36 bytes: version, flags, then POSLLH with hundredths of its units apart.
  mutating func takeHPPOSLLH(_ message: UBXMessage) {
    // Bit 0: the position is not valid.
    guard message.u8(3) & 1 == 0 else { return }
    place(
      Double(Int64(message.i32(12)) * 100 + Int64(message.i8(25))) / 1e9,
      Double(Int64(message.i32(8)) * 100 + Int64(message.i8(24))) / 1e9)
    altitudeHAE = Double(Int64(message.i32(16)) * 10 + Int64(message.i8(26))) / 1e4
    altitudeMSL = Double(Int64(message.i32(20)) * 10 + Int64(message.i8(27))) / 1e4
    horizontalError = Double(message.u32(28)) / 1e4
    verticalError = Double(message.u32(32)) / 1e4
  }

  /// NAV-SOL, 52 bytes: the solution in the earth-centred frame, in centimetres.
  mutating func takeSOL(_ message: UBXMessage) {
    claim(UBXFixType(message.u8(10)), flags: message.u8(11))
    satellitesUsed = Int(message.u8(47))
    pdop = Double(message.u16(44)) / 100
    guard UBXFixType(message.u8(10)).dimension > 1, latitude.isNaN else { return }
    take(
      EarthCentred(
        x: Metres(Double(message.i32(12)) / 100), y: Metres(Double(message.i32(16)) / 100),
        z: Metres(Double(message.i32(20)) / 100)))
    speedError = Double(message.u32(40)) / 100
  }

  /// NAV-POSECEF, 20 bytes.
  mutating func takePOSECEF(_ message: UBXMessage) {
    guard latitude.isNaN else { return }
    take(
      EarthCentred(
        x: Metres(Double(message.i32(4)) / 100), y: Metres(Double(message.i32(8)) / 100),
        z: Metres(Double(message.i32(12)) / 100)))
  }

  private mutating func take(_ position: EarthCentred) {
    guard let (place, height) = position.geodetic else { return }
    self.place(place.latitude.value, place.longitude.value)
    altitudeHAE = height.value
  }

  /// NAV-STATUS, 16 bytes.
  mutating func takeSTATUS(_ message: UBXMessage) {
    claim(UBXFixType(message.u8(4)), flags: message.u8(5))
  }

  /// NAV-VELNED, 36 bytes, in cm/s; NAV-PVT has it in mm/s.
  mutating func takeVELNED(_ message: UBXMessage) {
    guard speed.isNaN else { return }
    climb = -Double(message.i32(12)) / 100
    speed = Double(message.u32(20)) / 100
    let heading = Double(message.i32(24)) / 1e5
    track = heading < 0 ? heading + 360 : heading
    speedError = Double(message.u32(28)) / 100
  }

  /// NAV-DOP, 18 bytes.
  mutating func takeDOP(_ message: UBXMessage) {
    pdop = Double(message.u16(6)) / 100
    vdop = Double(message.u16(10)) / 100
    hdop = Double(message.u16(12)) / 100
  }

  mutating func claim(_ type: UBXFixType, flags: UInt8) {
    let dimension = type.dimension
    claim(dimension > 1)
    self.dimension = dimension
    guard dimension > 1 else { return }
    quality = type.quality ?? (flags & 2 != 0 ? .differential : .autonomous)
  }
}

/// `gpsFix` or `fixType`, the same in all messages.
struct UBXFixType {
  let code: UInt8
  init(_ code: UInt8) { self.code = code }

  /// As in GSA: 1 none, 2 without altitude, 3 with altitude.
  ///
  /// The flag gnssFixOK is not looked at: it falls when the estimated errors exceed the masks set
  /// in the receiver, and the estimates themselves are in the fix for whoever judges it.
  var dimension: Int {
    switch code {
    case 1, 2: 2  // dead reckoning, 2D
    case 3, 4: 3  // 3D, GNSS and dead reckoning
    case 5: 3  // time only: the position is the surveyed one
    default: 1
    }
  }

  var quality: FixQuality? {
    switch code {
    case 1: .deadReckoning
    case 4: .gnssAndDeadReckoning
    case 5: .surveyed
    default: nil
    }
  }
}
