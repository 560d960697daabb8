/// One setting: its name, its meaning, what it accepts, and where it lives in `Settings`.
public struct Setting: Sendable {
  /// What a value should have been.
  struct Mismatch: Error {
    let reason: String
  }

  /// Without its section: "swap_after_s".
  public let name: String
  /// With its section: "policy.hybrid.swap_after_s". Empty until it is in one.
  public internal(set) var key = ""
  public let doc: String
  /// The values it takes: "1 to 86400 s", "\"serial\", \"gpsd\" or \"none\"".
  public let accepts: String
  public var unit: SettingUnit? { SettingUnit(ofName: name) }

  let read: @Sendable (TOMLValue, inout Settings) throws(Mismatch) -> Void
  let show: @Sendable (Settings) -> SettingValue

  init(
    _ name: String, accepts: String, doc: String,
    read: @escaping @Sendable (TOMLValue, inout Settings) throws(Mismatch) -> Void,
    show: @escaping @Sendable (Settings) -> SettingValue
  ) {
    self.name = name
    self.accepts = accepts
    self.doc = doc
    self.read = read
    self.show = show
  }

  public func value(in settings: Settings) -> SettingValue { show(settings) }
}

/// A table of the settings file.
public struct SettingSection: Sendable {
  public let name: String
  public let doc: String
  public let settings: [Setting]

  init(_ name: String, _ doc: String, _ settings: [Setting]) {
    self.name = name
    self.doc = doc
    self.settings = settings.map {
      var setting = $0
      setting.key = "\(name).\(setting.name)"
      return setting
    }
  }

  /// All there are, in the order in which they are shown. The settings file, `config show`, the
  /// manual and every check are made from this table alone.
  public static let all = hardware + schedule + perception + service

  static let byKey: [String: Setting] = Dictionary(
    uniqueKeysWithValues: all.flatMap(\.settings).map { ($0.key, $0) })
}
