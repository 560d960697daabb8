import Quantities

/// What each UBX message contributes to the open epoch.
extension EpochAssembler {
  mutating func take(_ message: UBXMessage, at instant: BootInstant, emit: (Fix) -> Void) {
    counters.ubxFrames += 1
    switch message.kind {
    case .navPVT: take(message, UBXNavPVT(message), at: instant, emit: emit)
    default: counters.unknownFrames += 1
    }
  }

  private mutating func take(
    _ message: UBXMessage, _ pvt: UBXNavPVT?, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    guard let pvt else {
      counters.malformedFrames += 1
      return
    }
    guard begin(timeOfWeek: pvt.timeOfWeek, timeOfDay: pvt.timeOfDay, emit: emit)
    else { return }
    pvt.apply(to: &self)
    took(message.mark, at: instant, emit: emit)
  }
}

extension UBXMessage {
  var mark: CycleEnd.Mark { .init(talker: 0xb562, formatter: UInt32(kind.code), ordinal: 0) }
}

extension UBXMessage.Kind {
  static let navPVT = Self(code: 0x0107)
}
