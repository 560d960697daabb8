import Core

/// Settings of what is recorded about access points and cells.
public struct RadioEnvironmentSettings: Hashable, SettingGroup {
  public enum Identifiers: String, Sendable, CaseIterable { case hashed, plain }

  public var identifiers = Identifiers.hashed
  /// Nil: in the folder of the store.
  public var radioMap: String?

  public init() {}

  /// Continues the section of the coarse locations.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "identifiers", &identifiers, .choice,
      "How access points, gateways and cells are written down. \"hashed\": under pseudonyms, with "
        + "a salt of this device's that is kept in the radio map. \"plain\": as they are, in the "
        + "store and in what is shown; the radio map has pseudonyms all the same.", counts: .atStart
    )
    setting(
      "radio_map_path", &radioMap, .optional(.text(bytes: 0...4095), noneAt: ""),
      "The file in which is learnt where access points and cells are. An empty text means the path "
        + "of the store with .radiomap in place of .gpkg.", counts: .atStart)
  }
}
