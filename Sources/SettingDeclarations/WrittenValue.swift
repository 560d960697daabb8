/// A value as written in a file or an option, with its line. The setting that reads it interprets
/// it.
public struct WrittenValue: Equatable, Sendable {
  public indirect enum Content: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case bool(Bool)
    /// A valid date, time, or both, as it is written: `1979-05-27`, `07:32:00`,
    /// `1979-05-27T00:32:00.5-07:00`.
    case dateTime(String)
    case array([WrittenValue])
    case table(WrittenTable)
  }

  public let content: Content
  /// Counted from 1. The line of the first character; of the header or the first key for tables.
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

/// A table: its keys in the order of the text, each only once.
public struct WrittenTable: Equatable, Sendable {
  public private(set) var keys: [String] = []
  private var values: [String: WrittenValue] = [:]

  public init() {}

  public subscript(key: String) -> WrittenValue? { values[key] }

  /// Adds a key that is not there yet.
  public mutating func append(_ key: String, _ value: WrittenValue) {
    keys.append(key)
    values[key] = value
  }

  /// Removes a key; nil when it is not there.
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
