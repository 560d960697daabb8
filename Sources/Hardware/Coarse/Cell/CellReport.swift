import Records

/// A cell from ModemManager's messages (the interface files of ModemManager 1.20).
enum CellReport {
  /// MM_MODEM_LOCATION_SOURCE_3GPP_LAC_CI
  static let source: UInt32 = 1

  /// Reads the answer of `GetLocation`: among the sources the text "MCC,MNC,LAC,CI,TAC". Before
  /// 1.10 the last field is missing.
  /// - Parameter technologies: the modem's property `AccessTechnologies`.
  /// - Returns: nil: no cell, or not all of it is known.
  static func location(_ answer: BusMessage, technologies: Int64) -> CellIdentity? {
    var found: CellIdentity?
    answer.entries("uv", atMost: 16) {
      guard answer.integer() == Int64(source),
        let text = answer.variant({ answer.text(atMost: 64) })
      else { return }
      found = cell(text, technologies: technologies)
    }
    return found
  }

  static func cell(_ text: String, technologies: Int64) -> CellIdentity? {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    guard (4...5).contains(fields.count), let radio = radio(technologies),
      let mcc = UInt16(fields[0]), let mnc = UInt16(fields[1]),
      let cell = UInt64(fields[3], radix: 16)
    else { return nil }
    // LTE and 5G have a tracking area; their location area is meaningless (0 or FFFE).
    let isTracking = radio == .lte || radio == .nr
    let areas = isTracking ? [fields.count == 5 ? fields[4] : "", fields[2]] : [fields[2]]
    for area in areas {
      guard let area = UInt32(area, radix: 16),
        let identity = CellIdentity(radio: radio, mcc: mcc, mnc: mnc, area: area, cell: cell)
      else { continue }
      return identity
    }
    return nil
  }

  /// MMModemAccessTechnology. In non-standalone mode (LTE and 5G together) the cell is LTE's.
  static func radio(_ technologies: Int64) -> CellIdentity.Radio? {
    let has = { (bits: ClosedRange<Int64>) in bits.contains { technologies & 1 << $0 != 0 } }
    // LTE, CAT-M and NB-IoT.
    if has(14...14) || has(16...17) { return .lte }
    if has(15...15) { return .nr }
    if has(5...9) { return .umts }
    return has(1...4) ? .gsm : nil
  }

  /// Reads the answer of `GetCellInfo`: the modem's present serving cell.
  static func serving(_ answer: BusMessage) -> CellIdentity? {
    var found: CellIdentity?
    answer.elements("a{sv}", atMost: 64) {
      var cell = Entry()
      let isCell = answer.properties { cell.read($0, answer) }
      if cell.isServing, found == nil { found = cell.identity }
      return isCell
    }
    return found
  }

  private struct Entry {
    private var kind: Int64?
    private(set) var isServing = false
    private var network: String?
    private var area: String?
    private var cell: String?

    mutating func read(_ property: String, _ answer: BusMessage) {
      switch property {
      case "cell-type": kind = answer.integer()
      case "serving": isServing = answer.boolean() ?? false
      case "operator-id": network = answer.text(atMost: 8)
      case "lac", "tac": area = answer.text(atMost: 8)
      case "ci": cell = answer.text(atMost: 16)
      default: break
      }
    }

    /// The operator's id has three digits of MCC and two or three of MNC.
    var identity: CellIdentity? {
      guard let kind, let radio = radio(kind), let network, (5...6).contains(network.utf8.count),
        let mcc = UInt16(network.prefix(3)), let mnc = UInt16(network.dropFirst(3)),
        let area = area.flatMap({ UInt32($0, radix: 16) }),
        let cell = cell.flatMap({ UInt64($0, radix: 16) })
      else { return nil }
      return CellIdentity(radio: radio, mcc: mcc, mnc: mnc, area: area, cell: cell)
    }

    /// MMCellType
    private func radio(_ kind: Int64) -> CellIdentity.Radio? {
      switch kind {
      case 2: .gsm
      case 3: .umts
      case 5: .lte
      case 6: .nr
      default: nil
      }
    }
  }
}
