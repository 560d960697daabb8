/// The letter with which RMC, GLL, VTG and GNS say how a position was made (NMEA 0183 2.3 and on).
enum ModeIndicator {
  /// RMC and GLL have a status beside it, which was alone before 2.3.
  static func isFix(status: UInt8, _ letter: UInt8) -> Bool {
    status == UInt8(ascii: "A") && letter != UInt8(ascii: "N")
  }

  static func quality(_ letter: UInt8) -> FixQuality {
    switch letter {
    case UInt8(ascii: "D"): .differential
    case UInt8(ascii: "E"): .deadReckoning
    case UInt8(ascii: "F"): .rtkFloat
    case UInt8(ascii: "R"): .rtkFixed
    case UInt8(ascii: "M"): .surveyed
    case UInt8(ascii: "S"): .simulated
    case UInt8(ascii: "P"): .precise
    default: .autonomous
    }
  }

  /// Orders indicators by what they are worth, so that GNS's best one can be chosen.
  static func rank(_ letter: UInt8) -> Int {
    switch letter {
    case UInt8(ascii: "N"): 0
    case UInt8(ascii: "S"), UInt8(ascii: "M"): 1
    case UInt8(ascii: "E"): 2
    case UInt8(ascii: "A"): 3
    case UInt8(ascii: "D"): 4
    case UInt8(ascii: "P"): 5
    case UInt8(ascii: "F"): 6
    case UInt8(ascii: "R"): 7
    default: -1
    }
  }

  /// GGA's and gpsd's numbers differ; this is GGA's.
  static func quality(ofGGA number: Int) -> FixQuality {
    switch number {
    case 2, 9: .differential
    case 3: .precise
    case 4: .rtkFixed
    case 5: .rtkFloat
    case 6: .deadReckoning
    case 7: .surveyed
    case 8: .simulated
    default: .autonomous
    }
  }
}
