import Core

/// The messages of receivers before NAV-PVT (u-blox 4 to 6) and of time or high-precision
/// receivers, and those about satellites. Each contains one aspect of an epoch. All begin with the
/// time of week in milliseconds, unless noted. u-blox 6 receiver description and M8/F9 interface
/// descriptions, chapter "UBX-NAV".
struct UBXNavPart: EpochPart {
  let message: UBXMessage

  func apply(to epoch: inout Epoch) {
    switch message.kind {
    case .navPOSLLH: position(&epoch)
    case .navHPPOSLLH: precisePosition(&epoch)
    case .navSOL: solution(&epoch)
    case .navPOSECEF: position(offset: 4, &epoch)
    case .navSTATUS: epoch.claim(UBXFixType(message.u8(4)), flags: message.u8(5))
    case .navVELNED: velocity(&epoch)
    case .navDOP: dilution(&epoch)
    case .navSAT: UBXSatellites(satellites: message).apply(&epoch)
    case .navSVINFO: UBXSatellites(channels: message).apply(&epoch)
    default: break
    }
  }

  /// NAV-POSLLH, 28 bytes.
  private func position(_ epoch: inout Epoch) {
    // NAV-PVT has the same data, NAV-HPPOSLLH has it with higher resolution.
    guard epoch.position.isUnknown else { return }
    epoch.setPlace(Double(message.i32(8)) / 1e7, Double(message.i32(4)) / 1e7)
    epoch.altitude = .init(message, at: 12)
    epoch.errors.horizontal = Double(message.u32(20)) / 1000
    epoch.errors.vertical = Double(message.u32(24)) / 1000
  }

  /// NAV-HPPOSLLH, 36 bytes: version, flags, then POSLLH with separate high-resolution digits.
  private func precisePosition(_ epoch: inout Epoch) {
    // Bit 0: the position is not valid.
    guard message.u8(3) & 1 == 0 else { return }
    epoch.setPlace(
      Double(Int64(message.i32(12)) * 100 + Int64(message.i8(25))) / 1e9,
      Double(Int64(message.i32(8)) * 100 + Int64(message.i8(24))) / 1e9)
    epoch.altitude.ellipsoidal =
      Double(Int64(message.i32(16)) * 10 + Int64(message.i8(26))) / 1e4
    epoch.altitude.meanSeaLevel =
      Double(Int64(message.i32(20)) * 10 + Int64(message.i8(27))) / 1e4
    epoch.errors.horizontal = Double(message.u32(28)) / 1e4
    epoch.errors.vertical = Double(message.u32(32)) / 1e4
  }

  /// NAV-SOL, 52 bytes: the solution in the earth-centred frame, in centimetres.
  private func solution(_ epoch: inout Epoch) {
    let type = UBXFixType(message.u8(10))
    epoch.claim(type, flags: message.u8(11))
    epoch.setSatellitesUsed(Int(message.u8(47)))
    epoch.dilution.position = Double(message.u16(44)) / 100
    guard type.dimension > 1, epoch.position.isUnknown else { return }
    position(offset: 12, &epoch)
    epoch.errors.speed = Double(message.u32(40)) / 100
  }

  /// NAV-POSECEF, 20 bytes, and the same part of NAV-SOL.
  private func position(offset: Int, _ epoch: inout Epoch) {
    guard epoch.position.isUnknown else { return }
    func metres(_ axis: Int) -> Metres { Metres(Double(message.i32(offset + 4 * axis)) / 100) }
    let position = EarthCentred(x: metres(0), y: metres(1), z: metres(2))
    guard let (position, height) = position.geodetic else { return }
    epoch.setPlace(position.latitude.value, position.longitude.value)
    epoch.altitude.ellipsoidal = height.value
  }

  /// NAV-VELNED, 36 bytes, in cm/s; NAV-PVT has it in mm/s.
  private func velocity(_ epoch: inout Epoch) {
    guard epoch.motion.speed.isNaN else { return }
    epoch.motion.climb = -Double(message.i32(12)) / 100
    epoch.motion.speed = Double(message.u32(20)) / 100
    epoch.motion.track = message.heading(at: 24)
    epoch.errors.speed = Double(message.u32(28)) / 100
  }

  /// NAV-DOP, 18 bytes.
  private func dilution(_ epoch: inout Epoch) {
    epoch.dilution = .init(
      horizontal: Double(message.u16(12)) / 100, vertical: Double(message.u16(10)) / 100,
      position: Double(message.u16(6)) / 100)
  }
}

/// UBX-NAV-PVT: position, velocity and time in one message, with accuracy estimates; 92 bytes (84
/// in u-blox 7). u-blox M8 and F9 interface descriptions, "UBX-NAV-PVT".
struct UBXNavPVT: EpochPart {
  static let minLength = 84
  private static let lengthWithFlags = 92
  let message: UBXMessage

  /// Bits 0 and 1 of `valid`: date and time of day.
  var clock: UBXClock {
    UBXClock(
      message, at: 4, nanosecond: message.i32(16), isKnown: message.u8(11) & 3 == 3)
  }

  /// Bit 0 of `flags3`, "invalidLlh", which u-blox 7's shorter message does not have.
  private var isPositionInvalid: Bool {
    message.payload.count >= Self.lengthWithFlags && message.u8(78) & 1 != 0
  }

  func apply(to epoch: inout Epoch) {
    let type = UBXFixType(message.u8(20))
    epoch.claim(type, flags: message.u8(21))
    epoch.setSatellitesUsed(Int(message.u8(23)))
    epoch.dilution.position = Double(message.u16(76)) / 100
    if isPositionInvalid { epoch.claim(false) }
    guard type.dimension > 1, !isPositionInvalid else { return }
    switch message.u8(21) >> 6 {
    case 1: epoch.quality = .rtkFloat
    case 2: epoch.quality = .rtkFixed
    default: break
    }
    epoch.setPlace(Double(message.i32(28)) / 1e7, Double(message.i32(24)) / 1e7)
    epoch.altitude = .init(message, at: 32)
    epoch.errors.horizontal = Double(message.u32(40)) / 1000
    epoch.errors.vertical = Double(message.u32(44)) / 1000
    epoch.motion.climb = -Double(message.i32(56)) / 1000
    epoch.motion.speed = Double(message.i32(60)) / 1000
    epoch.motion.track = message.heading(at: 64)
    epoch.errors.speed = Double(message.u32(68)) / 1000
  }
}

/// UBX-HNR-PVT: the same data between epochs, extrapolated with inertial sensors; 72 bytes. u-blox
/// M8 interface description, "UBX-HNR-PVT".
struct UBXHnrPVT: EpochPart {
  let message: UBXMessage

  var clock: UBXClock {
    UBXClock(
      message, at: 4, nanosecond: message.i32(12), isKnown: message.u8(11) & 3 == 3)
  }

  func apply(to epoch: inout Epoch) {
    let type = UBXFixType(message.u8(16))
    epoch.claim(type, flags: message.u8(17))
    guard type.dimension > 1 else { return }
    epoch.setPlace(Double(message.i32(24)) / 1e7, Double(message.i32(20)) / 1e7)
    epoch.altitude = .init(message, at: 28)
    epoch.motion.speed = Double(message.i32(36)) / 1000
    epoch.motion.track = message.heading(at: 44)
    epoch.errors.horizontal = Double(message.u32(52)) / 1000
    epoch.errors.vertical = Double(message.u32(56)) / 1000
    epoch.errors.speed = Double(message.u32(60)) / 1000
  }
}

extension UBXMessage {
  /// Converts signed 1e-5 degrees to 0..<360.
  fileprivate func heading(at offset: Int) -> Double {
    let heading = Double(i32(offset)) / 1e5
    return heading < 0 ? heading + 360 : heading
  }
}

extension Epoch.Altitude {
  /// From height and hMSL in millimetres, which are adjacent.
  fileprivate init(_ message: UBXMessage, at offset: Int) {
    let (height, sea) = (message.i32(offset), message.i32(offset + 4))
    ellipsoidal = Double(height) / 1000
    meanSeaLevel = Double(sea) / 1000
    separation = Double(Int64(height) - Int64(sea)) / 1000
  }
}

extension Epoch {
  fileprivate mutating func claim(_ type: UBXFixType, flags: UInt8) {
    claim(dimension: type.dimension)
    guard type.dimension > 1 else { return }
    quality = type.quality ?? (flags & 2 != 0 ? .differential : .autonomous)
  }
}

/// `gpsFix` or `fixType`, the same in all messages.
private struct UBXFixType {
  let code: UInt8
  init(_ code: UInt8) { self.code = code }

  /// As in GSA: 1 none, 2 without altitude, 3 with altitude.
  ///
  /// The flag gnssFixOK is ignored: it is cleared when the estimated errors exceed the masks set in
  /// the receiver, and the fix contains these estimates for a later assessment.
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

/// The satellites in view of NAV-SAT and NAV-SVINFO: a header of 8 bytes, then 12 per satellite.
/// u-blox 8 / M8 receiver description (UBX-13003221), chapters 32.17.20 and 32.17.24.
struct UBXSatellites {
  private let message: UBXMessage
  private let isByConstellation: Bool
  private let count: Int

  private static let head = 8
  private static let block = 12

  /// NAV-SAT: u-blox M8 and later.
  init(satellites message: UBXMessage) {
    self.init(message, isByConstellation: true, count: message.u8(5))
  }

  /// NAV-SVINFO: u-blox 5 to M8.
  init(channels message: UBXMessage) {
    self.init(message, isByConstellation: false, count: message.u8(4))
  }

  /// Satellites that the header counts but the payload lacks are left out.
  private init(_ message: UBXMessage, isByConstellation: Bool, count: UInt8) {
    self.message = message
    self.isByConstellation = isByConstellation
    self.count = min(Int(count), (message.payload.count - Self.head) / Self.block)
  }

  func apply(_ epoch: inout Epoch) {
    epoch.countSatellites(count)
    epoch.markSignalsReported()
    for index in 0..<count {
      let start = Self.head + index * Self.block
      epoch.addSignals(isByConstellation ? satellite(at: start) : channel(at: start))
    }
  }

  /// gnssId, svId, cno; the lowest bits of the flags are the signal's quality.
  private func satellite(at start: Int) -> SatelliteSignal {
    let constellation = SatelliteNumber.Constellation(gnss: message.u8(start))
    return signal(
      SatelliteNumber(Int(message.u8(start + 1)), of: constellation),
      quality: message.u8(start + 8) & 7, strength: message.u8(start + 2))
  }

  /// chn, svid, flags, quality, cno; the number identifies the constellation.
  private func channel(at start: Int) -> SatelliteSignal {
    signal(
      SatelliteNumber(Int(message.u8(start + 1)), of: .all),
      quality: message.u8(start + 3) & 15, strength: message.u8(start + 4))
  }

  /// In both messages, quality 0 means no signal, and 1 means searching.
  private func signal(
    _ satellite: SatelliteNumber, quality: UInt8, strength: UInt8
  ) -> SatelliteSignal {
    quality < 2 ? .none : SatelliteSignal(satellite, strength: Int(strength))
  }
}
