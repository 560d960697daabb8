/// A struct whose properties are settings. Every property declares its default.
public protocol SettingGroup: Equatable, Sendable {
  /// The built-in defaults.
  init()

  /// Declares every setting once: its name (which ends in its unit), the property, the values that
  /// it accepts, and the one sentence that settings files, the manual and `config show` print; for
  /// what counts sooner than at the daemon's start, from when on a change counts:
  ///
  ///     setting("interval_s", &interval, .quantity(1...3600), "From one location to the next.")
  ///
  /// Reading, showing and describing settings are visits of this function, so that nothing is kept
  /// of a declaration, and it needs no more than the address of the property. Changes nothing by
  /// itself.
  mutating func declare(_ setting: SettingVisitor)
}

extension SettingGroup {
  /// The defaults with some changes: `PeriodicSettings { $0.interval = 20 }`.
  public init(_ change: (inout Self) -> Void) {
    self.init()
    change(&self)
  }

  /// What a setting is here; nil when there is none of that key.
  public func value(of key: String) -> SettingValue? {
    let visitor = SettingVisitor(.show, key)
    var copy = self
    copy.declare(visitor)
    return visitor.shown
  }

  /// Sets a setting that there is; changes nothing when it does not accept the value.
  public mutating func set(_ key: String, _ value: WrittenValue) throws(SettingMismatch) {
    let visitor = SettingVisitor(.read(value), key)
    declare(visitor)
    if let mismatch = visitor.mismatch { throw mismatch }
  }
}

/// One declared setting, and its value in the struct that was asked.
public struct Setting: Equatable, Sendable {
  /// Without its section: "swap_after_s".
  public let name: String
  /// With its section: "policy.hybrid.swap_after_s".
  public let key: String
  public let doc: String
  /// The values it takes: "1 to 86400 s", "\"serial\", \"gpsd\" or \"none\"".
  public let accepts: String
  public let value: SettingValue
  /// From when on a change counts.
  public let counts: SettingMoment
  /// Whether the value is kept out of stores, reports and messages.
  public let isSecret: Bool

  /// What stands there for a secret.
  public static let notTold = "(not told)"

  /// One of its values, for a message.
  public func told(_ value: SettingValue) -> String { isSecret ? Self.notTold : value.toml }
}

/// A table of the settings file, or a list of tables of one form.
public struct SettingSection: Equatable, Sendable {
  public let name: String
  public let doc: String
  /// From when on a change of its settings counts, where one does not say otherwise.
  public let counts: SettingMoment
  /// The settings of the table. A list of tables is one setting, with the section's name as its
  /// key.
  public internal(set) var settings: [Setting] = []
  /// What each table of a list holds; nil for a single table.
  public internal(set) var fields: [SettingField]?
}

/// All that a struct declares, with the values that it has: what a settings file may contain. The
/// default file, `config show`, the manual and every check are generated from this alone.
public struct DeclaredSettings: Sendable {
  /// In the order in which they are shown.
  public let sections: [SettingSection]
  /// Of all sections, and those without one.
  public let settings: [Setting]
  /// Values that are valid alone but not together.
  public let conflicts: [SettingConflict]

  public init(in group: some SettingGroup) {
    let visitor = SettingVisitor(.describe, "")
    var copy = group
    copy.declare(visitor)
    sections = visitor.sections
    settings = visitor.settings
    conflicts = visitor.conflicts
  }

  /// The setting of that key, such as "store.path"; nil when there is none.
  public subscript(key: String) -> Setting? { settings.first { $0.key == key } }
}

/// Why a value was not accepted: that of the setting itself, or one within it.
public struct SettingMismatch: Error, Sendable {
  public struct Fault: Sendable {
    /// Follows the setting's key: "" or "[2].radius_m".
    public let path: String
    /// The element of the list that is at fault, counted from 0: the others are valid. Nil: the
    /// whole value is.
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

/// Settings that are valid alone but not together.
public struct SettingConflict: Sendable {
  /// The setting to be named, with its value.
  public let key: String
  /// Where to look when that one is a default: the setting that makes it wrong. Nil: nowhere else.
  public let because: String?
  /// What is wrong with it and what to write instead; follows `key = value`.
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
