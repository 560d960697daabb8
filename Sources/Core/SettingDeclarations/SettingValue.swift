/// A setting's value as written in a file, in the unit of its name.
public indirect enum SettingValue: Equatable, Sendable {
  case bool(Bool)
  case number(Double)
  /// The address of a chip on a bus, written in hexadecimal, as in data sheets and i2cdetect.
  case address(Int)
  case text(String)
  case date(UTCInstant)
  case texts([String])
  /// A list of tables: the members of each, in the order of the declaration.
  case tables([[Member]])

  public struct Member: Equatable, Sendable {
    public let name: String
    public let value: SettingValue
  }

  public var json: JSONValue {
    switch self {
    case .bool(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .address(let address): .number(Double(address))
    case .text(let text): .string(text)
    case .date(let instant): .string(Self.date(instant))
    case .texts(let texts): .array(texts.map { .string($0) })
    case .tables(let tables):
      .array(tables.map { .object($0.map { (name: $0.name, value: $0.value.json) }) })
    }
  }

  /// As written after the equals sign in a settings file. TOML's basic strings accept every escape
  /// that JSON strings use.
  public var toml: String {
    switch self {
    case .date(let instant): Self.date(instant)
    case .address(let address): "0x" + (address < 16 ? "0" : "") + String(address, radix: 16)
    case .tables(let tables):
      "[" + tables.map { Self.inline($0) }.joined(separator: ", ") + "]"
    case .number(let number) where !number.isFinite: number.description
    default: json.text
    }
  }

  private static func inline(_ table: [Member]) -> String {
    "{ " + table.map { "\($0.name) = \($0.value.toml)" }.joined(separator: ", ") + " }"
  }

  private static func date(_ instant: UTCInstant) -> String {
    String(ISO8601.text(instant, digits: 0).prefix(10))
  }
}

/// The unit at the end of a setting's name: `timeout_s`, `tracking_mA`, `retention_days`.
struct SettingUnit: Equatable, Sendable {
  let symbol: String
  /// The symbol of the measured quantity's SI unit.
  let quantity: String
  let multiplier: Double
  let divisor: Double

  /// The unit at the end of a name; nil if it has none.
  init?(ofName name: String) {
    switch name.split(separator: "_").last {
    case "s": self.init(symbol: "s", quantity: "s")
    case "days": self.init(symbol: "days", quantity: "s", multiplier: 86_400)
    case "m": self.init(symbol: "m", quantity: "m")
    case "deg": self.init(symbol: "°", quantity: "°")
    case "mps": self.init(symbol: "m/s", quantity: "m/s")
    case "mps2": self.init(symbol: "m/s²", quantity: "m/s²")
    case "V": self.init(symbol: "V", quantity: "V")
    case "mA": self.init(symbol: "mA", quantity: "A", divisor: 1000)
    case "mAh": self.init(symbol: "mAh", quantity: "C", multiplier: 3.6)
    case "J": self.init(symbol: "J", quantity: "J")
    case "mW": self.init(symbol: "mW", quantity: "W", divisor: 1000)
    case "dBm": self.init(symbol: "dBm", quantity: "dBm")
    case "mOhm": self.init(symbol: "mΩ", quantity: "Ω", divisor: 1000)
    case "MB": self.init(symbol: "MB", quantity: "byte", multiplier: 1_000_000)
    default: return nil
    }
  }

  private init(
    symbol: String, quantity: String, multiplier: Double = 1, divisor: Double = 1
  ) {
    self.symbol = symbol
    self.quantity = quantity
    self.multiplier = multiplier
    self.divisor = divisor
  }

  /// Converts the written number to the quantity's own unit.
  func value(ofWritten number: Double) -> Double { number * multiplier / divisor }

  /// The number with the fewest decimals that converts back to exactly this value.
  func written(_ value: Double) -> Double {
    let exact = value * divisor / multiplier
    var scale = 1.0
    for _ in 0...9 {
      let number = (exact * scale).rounded() / scale
      if self.value(ofWritten: number) == value { return number }
      scale *= 10
    }
    return exact
  }
}

/// A value as written in a file or an option, with its line. The setting that reads it interprets
/// it.
public struct WrittenValue: Equatable, Sendable {
  public indirect enum Content: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case bool(Bool)
    /// A valid date, time, or both, as written: `1979-05-27`, `07:32:00`,
    /// `1979-05-27T00:32:00.5-07:00`.
    case dateTime(String)
    case array([WrittenValue])
    case table(WrittenTable)
  }

  public let content: Content
  /// Counted from 1: the line of the first character; for tables, the line of the header or first
  /// key.
  public let line: Int

  public init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  /// For messages: "a string", "an integer".
  public var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a number"
    case .bool: "a boolean"
    case .dateTime: "a date or time"
    case .array: "an array"
    case .table: "a table"
    }
  }
}

/// A table: its keys in the order of the text, each once.
public struct WrittenTable: Equatable, Sendable {
  public private(set) var keys: [String] = []
  private var values: [String: WrittenValue] = [:]

  public init() {}

  public subscript(key: String) -> WrittenValue? { values[key] }

  /// Adds a key that is not in the table yet.
  public mutating func append(_ key: String, _ value: WrittenValue) {
    keys.append(key)
    values[key] = value
  }

  /// Removes a key and returns its value; nil if it is not in the table.
  public mutating func remove(_ key: String) -> WrittenValue? {
    keys.removeAll { $0 == key }
    return values.removeValue(forKey: key)
  }

  /// The value at the end of a path of tables.
  public subscript(path: [String]) -> WrittenValue? {
    guard let first = path.first, let value = self[first] else { return nil }
    guard path.count > 1 else { return value }
    guard case .table(let inner) = value.content else { return nil }
    return inner[Array(path.dropFirst())]
  }
}
