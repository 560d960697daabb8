import Core

/// Which service reports the serving cell.
public struct CellSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable {
    case modemManager = "modem-manager"
    case none
  }

  public var kind = Kind.none
  /// Nil: the first one found.
  public var modem: String?
  public var signals = true
  /// Nil: next to the store.
  public var table: String?

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("cell", "The cell that serves the board's modem.")
    setting(
      "kind", &kind, .choice,
      "\"modem-manager\": ModemManager tells it. \"none\": not looked at.")
    setting(
      "modem", &modem, .optional(.text(bytes: 0...63), noneAt: ""),
      "Its serial number (IMEI) or device, as mmcli shows them. An empty text means the first "
        + "that there is.")
    setting(
      "signals", &signals, .flag,
      "Whether ModemManager is to tell of a new cell by itself. Every program of the board may "
        + "hear that, as it may hear the access points around. Otherwise the cell is known when it "
        + "is asked for, and when the registration changes. A modem that also gives locations "
        + "of its own is only asked.")
    setting(
      "table_path", &table, .optional(.text(bytes: 0...4095), noneAt: ""),
      "The file with the places of cells, which 'godwit cells import' makes. An empty text means "
        + "the path of the store with .cells in place of .gpkg.")
  }
}
