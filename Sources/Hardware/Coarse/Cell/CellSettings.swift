import Core

/// Which service reports the serving cell.
public struct CellSettings: Hashable, SettingGroup {
  enum Kind: String, Sendable, CaseIterable {
    case modemManager = "modem-manager"
    case none
  }

  var kind = Kind.none
  /// Nil: the first one found.
  var modem: String?
  var signals = true
  /// Nil: next to the store.
  public var table: String?

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("cell", "Serving cell of the board's modem.")
    setting(
      "kind", &kind, .choice,
      "\"modem-manager\": reported by ModemManager. \"none\": not used.")
    setting(
      "modem", &modem, .optional(.text(bytes: 0...63), noneAt: ""),
      "Serial number (IMEI) or device of the modem, as in the output of mmcli. Empty: the first "
        + "modem.")
    setting(
      "signals", &signals, .flag,
      "ModemManager reports new cells by itself. Every program of the board can receive these "
        + "reports, as it can read the access points in range. Otherwise the cell is known only "
        + "after a query, and when the registration changes. A modem that also reports locations "
        + "of its own is only queried.")
    setting(
      "table_path", &table, .optional(.text(bytes: 0...4095), noneAt: ""),
      "File with the positions of cells, which 'godwit cells import' creates. Empty: the path of "
        + "the store with .cells in place of .gpkg.")
  }
}
