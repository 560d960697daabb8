/// Any JSON text as a value, its members in the order of the text.
public indirect enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(name: String, value: JSONValue)])

  public static func == (a: JSONValue, b: JSONValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.number(let x), .number(let y)): x == y
    case (.string(let x), .string(let y)): x == y
    case (.array(let x), .array(let y)): x == y
    case (.object(let x), .object(let y)):
      x.count == y.count && zip(x, y).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }

  /// The member with that name: the last one if the name is repeated.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  public var number: Double? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  /// The number if it is whole and fits.
  public var integer: Int? { number.flatMap { Int(exactly: $0) } }

  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  public var array: [JSONValue]? {
    guard case .array(let items) = self else { return nil }
    return items
  }

  /// Null where the text is nil.
  public static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A whole number, exact up to 2^53; null where it is nil.
  public static func count(_ count: (some BinaryInteger)?) -> JSONValue {
    count.map { .number(Double($0)) } ?? .null
  }

  /// A number with at most `digits` (0...9) decimals; null where it is nil, and for what JSON
  /// cannot express (NaN, infinity).
  public static func rounded(_ value: Double?, digits: Int) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return .number(Double(FixedDecimal.text(value, digits: digits)) ?? value)
  }

  public var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return writer.text
  }
}

/// The position and reason at which a text is not valid JSON.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Bytes from the start of the text.
  public let offset: Int
  public let reason: String
  public var description: String { "not JSON at byte \(offset): \(reason)" }
}
