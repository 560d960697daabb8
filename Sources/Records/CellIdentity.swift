/// A globally unique identity of one cell of a mobile network.
public struct CellIdentity: Hashable, Sendable {
  /// The names are those of Ichnaea's interface; OpenCelliD's files use capitals.
  public enum Radio: String, CaseIterable, Sendable { case gsm, umts, lte, nr, cdma }

  public let radio: Radio
  /// The country, 1 to 999.
  public let mcc: UInt16
  /// The network, 0 to 999; for CDMA the system (SID), 0 to 32,767. A number, as in OpenCelliD's
  /// files, which do not distinguish "01" from "001".
  public let mnc: UInt16
  /// The location area (LAC) or tracking area (TAC); for CDMA the network (NID).
  public let area: UInt32
  /// The cell: for UMTS with the RNC before its 16 bits, for LTE and NR with the base station
  /// before it; for CDMA the base station (BID).
  public let cell: UInt64

  /// Nil for an impossible cell. Modems report "unknown" as zero, as GSM's largest cell, or as the
  /// values that TS 23.003, 4.1 and 19.4.2.3 reserve for a deleted area.
  public init?(radio: Radio, mcc: UInt16, mnc: UInt16, area: UInt32, cell: UInt64) {
    guard (1...999).contains(mcc), mnc <= radio.lastNetwork,
      radio.areas.contains(area), radio.cells.contains(cell)
    else { return nil }
    self.radio = radio
    self.mcc = mcc
    self.mnc = mnc
    self.area = area
    self.cell = cell
  }
}

extension CellIdentity {
  /// "lte 262-01-8BE3-2BAF01": the radio, the country with three decimal digits, the network with
  /// at least two, area and cell in upper-case hexadecimal without leading zeros. The text is
  /// canonical, so that it can be compared, hashed and used as a key.
  public var text: String {
    "\(radio.rawValue) \(Self.decimal(mcc, digits: 3))-\(Self.decimal(mnc, digits: 2))"
      + "-\(String(area, radix: 16, uppercase: true))-\(String(cell, radix: 16, uppercase: true))"
  }

  /// Nil unless it is the text of a cell, exactly as `text` writes it.
  public init?(text: String) {
    // The longest: "umts 999-999-FFFFFF-FFFFFFFFF" and CDMA's five digits.
    guard text.utf8.count <= 32 else { return nil }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let radio = Radio(rawValue: String(words[0])) else { return nil }
    let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, let mcc = UInt16(parts[0]), let mnc = UInt16(parts[1]),
      let area = UInt32(parts[2], radix: 16), let cell = UInt64(parts[3], radix: 16)
    else { return nil }
    self.init(radio: radio, mcc: mcc, mnc: mnc, area: area, cell: cell)
    guard self.text == text else { return nil }
  }

  private static func decimal(_ number: UInt16, digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

extension CellIdentity.Radio {
  fileprivate var lastNetwork: UInt16 { self == .cdma ? 32_767 : 999 }

  fileprivate var areas: ClosedRange<UInt32> {
    switch self {
    case .gsm, .umts, .lte: 1...0xFFFD
    case .nr: 1...0xFF_FFFD
    case .cdma: 1...0xFFFF
    }
  }

  fileprivate var cells: ClosedRange<UInt64> {
    switch self {
    case .gsm: 1...0xFFFE
    case .cdma: 1...0xFFFF
    case .umts, .lte: 1...0xFFF_FFFF
    case .nr: 1...0xF_FFFF_FFFF
    }
  }
}
