/// The satellites in view, as NAV-SAT and NAV-SVINFO list them: a head of 8 bytes, then 12 for each
/// satellite. u-blox 8 / M8 receiver description (UBX-13003221), chapters 32.17.20 and 32.17.24.
struct UBXSky {
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

  /// What the head counts and the payload does not hold is not there.
  private init(_ message: UBXMessage, isByConstellation: Bool, count: UInt8) {
    self.message = message
    self.isByConstellation = isByConstellation
    self.count = min(Int(count), (message.payload.count - Self.head) / Self.block)
  }

  func tell(_ epoch: inout Epoch) {
    epoch.countSatellites(count)
    epoch.tellSignals()
    for index in 0..<count {
      let start = Self.head + index * Self.block
      epoch.hear(isByConstellation ? satellite(at: start) : channel(at: start))
    }
  }

  /// gnssId, svId, cno; the lowest bits of the flags are the signal's quality.
  private func satellite(at start: Int) -> SatelliteSignal {
    let constellation = SatelliteNumber.Constellation(gnss: message.u8(start))
    return signal(
      SatelliteNumber(Int(message.u8(start + 1)), of: constellation),
      quality: message.u8(start + 8) & 7, strength: message.u8(start + 2))
  }

  /// chn, svid, flags, quality, cno; the number says which constellation it is of.
  private func channel(at start: Int) -> SatelliteSignal {
    signal(
      SatelliteNumber(Int(message.u8(start + 1)), of: .all),
      quality: message.u8(start + 3) & 15, strength: message.u8(start + 4))
  }

  /// Quality 0 and 1 are no signal and the search for one, in both messages.
  private func signal(
    _ satellite: SatelliteNumber, quality: UInt8, strength: UInt8
  ) -> SatelliteSignal {
    quality < 2 ? .none : SatelliteSignal(satellite, strength: Int(strength))
  }
}
