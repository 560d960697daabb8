/// A struct whose properties are settings. Every property declares its default.
public protocol SettingGroup: Equatable, Sendable {
  /// The built-in defaults.
  init()

  /// Declares every setting once: its name (which ends in its unit), the property, the accepted
  /// values, and the one sentence that settings files, the manual and `config show` print. A
  /// setting that takes effect before the next start of the daemon also declares when:
  ///
  ///     setting("interval_s", &interval, .quantity(1...3600), "From one location to the next.")
  ///
  /// Reading, showing and describing settings are visits of this function. Declarations are not
  /// stored, and need only the address of the property. The function itself changes nothing.
  mutating func declare(_ setting: SettingVisitor)
}

extension SettingGroup {
  /// The defaults with some changes: `PeriodicSettings { $0.interval = 20 }`.
  public init(_ change: (inout Self) -> Void) {
    self.init()
    change(&self)
  }

  /// The value of a setting in this struct; nil if there is no setting with that key.
  public func value(of key: String) -> SettingValue? {
    let visitor = SettingVisitor(.show, key)
    var copy = self
    copy.declare(visitor)
    return visitor.shown
  }

  /// Sets an existing setting; changes nothing if the setting does not accept the value.
  public mutating func set(_ key: String, _ value: WrittenValue) throws(SettingMismatch) {
    let visitor = SettingVisitor(.read(value), key)
    declare(visitor)
    if let mismatch = visitor.mismatch { throw mismatch }
  }
}

/// One declared setting, and its value in the struct that declares it.
public struct Setting: Equatable, Sendable {
  /// Without its section: "swap_after_s".
  public let name: String
  /// With its section: "policy.hybrid.swap_after_s".
  public let key: String
  public let doc: String
  /// The accepted values: "1 to 86400 s", "\"serial\", \"gpsd\" or \"none\"".
  public let accepts: String
  public let value: SettingValue
  /// When a change takes effect.
  public let activation: SettingActivation
  /// Whether the value is kept out of stores, reports and messages.
  public let isSecret: Bool

  /// The placeholder for the value of a secret.
  public static let redacted = "(not told)"

  /// One of its values, for a message; a placeholder if the setting is secret.
  public func displayText(_ value: SettingValue) -> String { isSecret ? Self.redacted : value.toml }
}

/// A table of the settings file, or a list of tables of one form.
public struct SettingSection: Equatable, Sendable {
  public let name: String
  public let doc: String
  /// When a change of its settings takes effect, unless a setting declares otherwise.
  public let activation: SettingActivation
  /// The settings of the table. A list of tables is one setting, with the section's name as its
  /// key.
  public internal(set) var settings: [Setting] = []
  /// The fields of each table of a list; nil for a single table.
  public internal(set) var fields: [SettingField]?
}

/// All declarations of a struct, with its values: everything that a settings file may contain. The
/// default file, `config show`, the manual and every check are generated from this alone.
public struct DeclaredSettings: Sendable {
  /// In the order in which they are shown.
  public let sections: [SettingSection]
  /// The settings of all sections, and those outside a section.
  public let settings: [Setting]
  /// Values that are valid alone but not in combination.
  public let conflicts: [SettingConflict]

  public init(in group: some SettingGroup) {
    let visitor = SettingVisitor(.describe, "")
    var copy = group
    copy.declare(visitor)
    sections = visitor.sections
    settings = visitor.settings
    conflicts = visitor.conflicts
  }

  /// The setting with that key, such as "store.path"; nil if there is none.
  public subscript(key: String) -> Setting? { settings.first { $0.key == key } }
}

/// Why a value was rejected: the value of the setting itself, or a value within it.
public struct SettingMismatch: Error, Sendable {
  public struct Fault: Sendable {
    /// Follows the setting's key: "" or "[2].radius_m".
    public let path: String
    /// The faulty element of the list, counted from 0; the others are valid. Nil: the whole value
    /// is faulty.
    public let element: Int?
    /// Nil: the line of the whole value.
    public let line: Int?
    /// Follows the key and the path: "= 70000 is out of range; it takes 1 to 65535".
    public let reason: String
  }

  /// At least one.
  public let faults: [Fault]

  public init(_ reason: String) {
    faults = [Fault(path: "", element: nil, line: nil, reason: reason)]
  }

  init(_ faults: [Fault]) { self.faults = faults }

  public var reason: String { faults.map(\.reason).joined(separator: "; ") }
}

/// Settings that are valid alone but not in combination.
public struct SettingConflict: Sendable {
  /// The setting to report, with its value.
  public let key: String
  /// The setting that causes the conflict; reported when the value of `key` is a default. Nil: no
  /// other setting.
  public let because: String?
  /// What is wrong and what to write instead; follows `key = value`.
  public let message: String

  /// - Parameters:
  ///   - key: without its section where a section declares the conflict.
  ///   - because: likewise.
  public init(_ key: String, because: String? = nil, _ message: String) {
    self.key = key
    self.because = because
    self.message = message
  }
}
