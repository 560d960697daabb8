/// Questions to a receiver about itself, in the order in which an unknown one is asked.
///
/// None of them changes anything in any receiver. Each is in a form of its own (a UBX frame,
/// sentences with the maker's address) that receivers of the other makes discard or refuse: u-blox
/// answers PMTK605 with a TXT "NMEA unknown msg", MTK and CASIC skip the eight bytes of a UBX frame
/// until the next `$`.
public enum ReceiverQuery: String, CaseIterable, Sendable {
  case ubxVersion = "UBX-MON-VER"
  case mtkRelease = "PMTK605"
  case pairVersion = "PAIR020"
  case casFirmware = "PCAS06,0"
  case casHardware = "PCAS06,1"

  public var bytes: [UInt8] {
    switch self {
    case .ubxVersion: UBXCommand.pollVersion
    case .mtkRelease: MTKCommand.queryRelease
    case .pairVersion: PAIRCommand.queryVersion
    case .casFirmware: CASCommand.query(.firmware)
    case .casHardware: CASCommand.query(.hardware)
    }
  }

  /// What is asked of a receiver whose family is known.
  static func of(_ family: ReceiverFamily) -> [ReceiverQuery] {
    switch family {
    case .ublox6, .ublox7, .ubloxM8, .ubloxM9, .ubloxM10, .ubloxF9: [.ubxVersion]
    case .mediatek: [.mtkRelease]
    case .airoha: [.pairVersion]
    case .casic: [.casFirmware, .casHardware]
    case .simcom, .other: []
    }
  }

  /// Whether this ends the waiting for an answer: by telling, or by refusing to tell.
  func isAnswered(by answer: ReceiverAnswer) -> Bool {
    switch (self, answer) {
    case (.ubxVersion, .ubxVersion), (.mtkRelease, .mtkVersion), (.pairVersion, .pairVersion):
      true
    case (.mtkRelease, .mtkAcknowledgement(let result)):
      result.command == 605 && result.result != .done
    case (.pairVersion, .pairAcknowledgement(let result)):
      result.command == 20 && result.result != .done && result.result != .pending
    case (.casFirmware, .notice(let text)): text.hasPrefix("SW=")
    case (.casHardware, .notice(let text)): text.hasPrefix("HW=")
    default: false
    }
  }
}
