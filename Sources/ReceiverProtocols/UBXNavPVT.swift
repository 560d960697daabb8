import Quantities

/// UBX-NAV-PVT: position, velocity and time in one message, with accuracy estimates; 92 bytes (84
/// in u-blox 7). u-blox M8 and F9 interface descriptions, "UBX-NAV-PVT".
struct UBXNavPVT {
  static let shortest = 84
  let message: UBXMessage

  /// Bits 0 and 1 of `valid`: date and time of day.
  var clock: UBXClock {
    UBXClock(
      message, at: 4, nanosecond: message.i32(16), isKnown: message.u8(11) & 3 == 3)
  }

  func apply(to epoch: inout Epoch) {
    let type = UBXFixType(message.u8(20))
    epoch.claim(type, flags: message.u8(21))
    epoch.satellitesUsed = Int(message.u8(23))
    epoch.pdop = Double(message.u16(76)) / 100
    guard type.dimension > 1 else { return }
    switch message.u8(21) >> 6 {
    case 1: epoch.quality = .rtkFloat
    case 2: epoch.quality = .rtkFixed
    default: break
    }
    epoch.place(Double(message.i32(28)) / 1e7, Double(message.i32(24)) / 1e7)
    epoch.altitudeHAE = Double(message.i32(32)) / 1000
    epoch.altitudeMSL = Double(message.i32(36)) / 1000
    epoch.separation = Double(Int64(message.i32(32)) - Int64(message.i32(36))) / 1000
    epoch.horizontalError = Double(message.u32(40)) / 1000
    epoch.verticalError = Double(message.u32(44)) / 1000
    epoch.climb = -Double(message.i32(56)) / 1000
    epoch.speed = Double(message.i32(60)) / 1000
    let track = Double(message.i32(64)) / 1e5
    epoch.track = track < 0 ? track + 360 : track
    epoch.speedError = Double(message.u32(68)) / 1000
  }
}

/// UBX-HNR-PVT: the same between epochs, extrapolated with inertial sensors; 72 bytes. u-blox M8
/// interface description, "UBX-HNR-PVT".
struct UBXHnrPVT {
  let message: UBXMessage

  var clock: UBXClock {
    UBXClock(
      message, at: 4, nanosecond: message.i32(12), isKnown: message.u8(11) & 3 == 3)
  }

  func apply(to epoch: inout Epoch) {
    let type = UBXFixType(message.u8(16))
    epoch.claim(type, flags: message.u8(17))
    guard type.dimension > 1 else { return }
    epoch.place(Double(message.i32(24)) / 1e7, Double(message.i32(20)) / 1e7)
    epoch.altitudeHAE = Double(message.i32(28)) / 1000
    epoch.altitudeMSL = Double(message.i32(32)) / 1000
    epoch.separation = Double(Int64(message.i32(28)) - Int64(message.i32(32))) / 1000
    epoch.speed = Double(message.i32(36)) / 1000
    let track = Double(message.i32(44)) / 1e5
    epoch.track = track < 0 ? track + 360 : track
    epoch.horizontalError = Double(message.u32(52)) / 1000
    epoch.verticalError = Double(message.u32(56)) / 1000
    epoch.speedError = Double(message.u32(60)) / 1000
  }
}
