import Quantities

/// UBX-NAV-PVT: position, velocity and time in one message, with accuracy estimates; 92 bytes (84
/// in u-blox 7). u-blox M8 and F9 interface descriptions, "UBX-NAV-PVT".
struct UBXNavPVT {
  private let message: UBXMessage

  init?(_ message: UBXMessage) {
    guard message.payload.count >= 84 else { return nil }
    self.message = message
  }

  /// Milliseconds of the GPS week.
  var timeOfWeek: Int64 { Int64(message.u32(0)) }

  private var hasDate: Bool { message.u8(11) & 1 != 0 }
  private var hasTime: Bool { message.u8(11) & 2 != 0 }
  private var isFixOK: Bool { message.u8(21) & 1 != 0 }

  private var dimension: Int {
    switch message.u8(20) {
    case 1, 2: 2  // dead reckoning, 2D
    case 3, 4: 3  // 3D, GNSS and dead reckoning
    default: 1  // none, time only
    }
  }

  /// Nanoseconds of the day, or absent. The clock fields are rounded and the fraction runs from
  /// -1e9 to 1e9 ns, so that the moment may be of the day before.
  var timeOfDay: Int64 {
    guard hasTime, message.u8(8) < 24, message.u8(9) < 60, message.u8(10) <= 60 else {
      return Epoch.absent
    }
    let time = secondOfDay + Int64(message.i32(16))
    return time < 0 ? time + 86_400_000_000_000 : time
  }

  private var secondOfDay: Int64 {
    let minutes = Int64(message.u8(8)) * 60 + Int64(message.u8(9))
    return (minutes * 60 + Int64(message.u8(10))) * 1_000_000_000
  }

  func apply(to assembler: inout EpochAssembler) {
    if hasDate {
      assembler.tell(
        year: Int(message.u16(4)), month: Int(message.u8(6)), day: Int(message.u8(7)))
      if hasTime, secondOfDay + Int64(message.i32(16)) < 0 {
        assembler.epoch.day = assembler.epoch.day.map { $0 - 1 }
      }
    }
    apply(to: &assembler.epoch)
  }

  private func apply(to epoch: inout Epoch) {
    let isFix = isFixOK && dimension > 1
    epoch.claim(isFix)
    epoch.satellitesUsed = Int(message.u8(23))
    epoch.pdop = Double(message.u16(76)) * 0.01
    epoch.dimension = isFix ? dimension : 1
    guard isFix else { return }
    epoch.quality = quality
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

  private var quality: FixQuality {
    switch message.u8(21) >> 6 {
    case 1: return .rtkFloat
    case 2: return .rtkFixed
    default: break
    }
    switch message.u8(20) {
    case 1: return .deadReckoning
    case 4: return .gnssAndDeadReckoning
    default: return message.u8(21) & 2 != 0 ? .differential : .autonomous
    }
  }
}
