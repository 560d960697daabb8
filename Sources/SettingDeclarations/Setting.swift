/// A struct whose properties are settings. Every property declares its default.
public protocol SettingGroup: Equatable, Sendable {
  /// The built-in defaults.
  init()
}

extension SettingGroup {
  /// The defaults with some changes: `PeriodicSettings { $0.interval = 20 }`.
  public init(_ change: (inout Self) -> Void) {
    self.init()
    change(&self)
  }
}

/// One setting, declared once, beside the struct that it sets: its name (which ends in its unit),
/// the property, the values it accepts, and the one sentence that settings files, the manual and
/// `config show` print. The default is the property's own.
public struct Setting<Root: Sendable>: Sendable {
  public typealias Property<Value> = WritableKeyPath<Root, Value> & Sendable

  /// Without its section: "swap_after_s".
  public let name: String
  /// With its section: "policy.hybrid.swap_after_s". Empty until it is in one.
  public internal(set) var key = ""
  public let doc: String
  /// The values it takes: "1 to 86400 s", "\"serial\", \"gpsd\" or \"none\"".
  public let accepts: String
  public var unit: SettingUnit? { SettingUnit(ofName: name) }

  /// Sets the written value; changes nothing when the value is not accepted.
  public let read: @Sendable (WrittenValue, inout Root) throws(SettingMismatch) -> Void
  private let show: @Sendable (Root) -> SettingValue

  public init<Value>(
    _ name: String, _ property: Property<Value>, _ kind: SettingKind<Value>, _ doc: String
  ) {
    let unit = SettingUnit(ofName: name)
    precondition(kind.fits(unit), "\(name) ends in the wrong unit for \(Value.self)")
    self.init(
      name, accepts: kind.accepts(unit), doc: doc,
      read: { value, root throws(SettingMismatch) in
        root[keyPath: property] = try kind.read(value, unit)
      },
      show: { kind.show($0[keyPath: property], unit) })
  }

  init(
    _ name: String, accepts: String, doc: String,
    read: @escaping @Sendable (WrittenValue, inout Root) throws(SettingMismatch) -> Void,
    show: @escaping @Sendable (Root) -> SettingValue
  ) {
    self.name = name
    self.accepts = accepts
    self.doc = doc
    self.read = read
    self.show = show
  }

  public func value(in root: Root) -> SettingValue { show(root) }

  /// The same setting of a larger struct.
  public func within<Whole>(_ part: Setting<Whole>.Property<Root>) -> Setting<Whole> {
    let (read, show) = (self.read, self.show)
    var lifted = Setting<Whole>(
      name, accepts: accepts, doc: doc,
      read: { value, whole throws(SettingMismatch) in try read(value, &whole[keyPath: part]) },
      show: { show($0[keyPath: part]) })
    lifted.key = key
    return lifted
  }
}

extension Array {
  /// The same settings of a larger struct: how a section gathers what several structs declare.
  public func within<Whole, Part>(_ part: Setting<Whole>.Property<Part>) -> [Setting<Whole>]
  where Element == Setting<Part> {
    map { $0.within(part) }
  }
}

/// Why a value was not accepted: that of the setting itself, or one within it.
public struct SettingMismatch: Error, Sendable {
  public struct Fault: Sendable {
    /// Follows the setting's key: "" or "[2].radius_m".
    public let path: String
    /// Nil: the line of the whole value.
    public let line: Int?
    /// Follows the key and the path: "= 70000 is out of range; it takes 1 to 65535".
    public let reason: String
  }

  /// At least one.
  public let faults: [Fault]

  public init(_ reason: String) { faults = [Fault(path: "", line: nil, reason: reason)] }

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
