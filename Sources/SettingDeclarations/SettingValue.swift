import Notation
import Quantities

/// A setting's value as written in a file, in the unit of its name.
public indirect enum SettingValue: Equatable, Sendable {
  case bool(Bool)
  case number(Double)
  /// Of a chip on a bus; written in hexadecimal, as data sheets and i2cdetect write it.
  case address(Int)
  case text(String)
  case date(UTCInstant)
  /// Of a list of tables: what each holds, by name, in the order of the declaration.
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
