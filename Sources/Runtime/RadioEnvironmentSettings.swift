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
      "Form in which access points, gateways and cells are stored. \"hashed\": as pseudonyms, with "
        + "a salt of this device that is kept in the radio map. \"plain\": as addresses, in the "
        + "store and in output; the radio map always has pseudonyms.", counts: .atStart
    )
    setting(
      "radio_map_path", &radioMap, .optional(.text(bytes: 0...4095), noneAt: ""),
      "File for the learnt positions of access points and cells. Empty: the path of the store with "
        + ".radiomap in place of .gpkg.", counts: .atStart)
  }
}
