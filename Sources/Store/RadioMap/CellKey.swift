import Records

/// The number of a cell in the table. It is unique for every cell, so that it is the table's row
/// id: no separate index, and one search in a tree.
///
/// 3 bits for the radio, 10 for the country, then what identifies a cell in it. For UMTS, LTE and
/// NR the area is left out: their cells are unique within the network (TS 23.003, 4.3 and 19.6),
/// and areas are rearranged while cells stay. Old rows of UMTS have the cell without the RNC, which
/// is unique within the area only.
enum CellKey {
  static func of(_ cell: CellIdentity) -> Int64 {
    let network = UInt64(cell.mnc)
    let area = UInt64(cell.area)
    let (kind, rest): (UInt64, UInt64) =
      switch cell.radio {
      case .gsm: (0, network << 40 | area << 16 | cell.cell)
      case .umts where cell.cell <= 0xFFFF: (1, network << 40 | area << 16 | cell.cell)
      case .umts: (2, network << 40 | cell.cell)
      case .lte: (3, network << 40 | cell.cell)
      case .nr: (4, network << 40 | cell.cell)
      // The system has 15 bits, network and base station 16 each.
      case .cdma: (5, network << 32 | area << 16 | cell.cell)
      }
    return Int64(kind << 60 | UInt64(cell.mcc) << 50 | rest)
  }
}
