import Quantities

/// A value of a TOML text and the line it stands on.
public struct TOMLValue: Equatable, Sendable {
  public indirect enum Content: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case bool(Bool)
    case dateTime(TOMLDateTime)
    case array([TOMLValue])
    case table(TOMLTable)
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

/// A table: its keys in the order of the text, every one only once.
public struct TOMLTable: Equatable, Sendable {
  public private(set) var keys: [String] = []
  private var values: [String: TOMLValue] = [:]

  public init() {}

  public subscript(key: String) -> TOMLValue? { values[key] }

  mutating func append(_ key: String, _ value: TOMLValue) {
    keys.append(key)
    values[key] = value
  }

  /// Takes a key out; nil when it is not there.
  mutating func remove(_ key: String) -> TOMLValue? {
    keys.removeAll { $0 == key }
    return values.removeValue(forKey: key)
  }

  /// The value at the end of a path of tables.
  public subscript(path: [String]) -> TOMLValue? {
    guard let first = path.first, let value = self[first] else { return nil }
    guard path.count > 1 else { return value }
    guard case .table(let inner) = value.content else { return nil }
    return inner[Array(path.dropFirst())]
  }
}

/// One of TOML's four kinds of dates and times; which one follows from the parts that are there.
public struct TOMLDateTime: Equatable, Sendable {
  /// Year 0...9999, month and day. Nil: a local time.
  public var date: TOMLDate?
  /// Nil: a local date.
  public var time: TOMLTime?
  /// East of UTC. Nil: the time is local, wherever that may be.
  public var offsetMinutes: Int?

  /// The moment in UTC: of a date its beginning, of a local time as if it were UTC.
  /// Nil for a time without a date and outside the years that an instant can hold.
  public var instant: UTCInstant? {
    guard let date else { return nil }
    var civil = CivilTime(year: date.year, month: date.month, day: date.day)
    if let time {
      civil.hour = time.hour
      civil.minute = time.minute
      civil.second = time.second
      civil.nanosecond = time.nanosecond
    }
    return civil.instant.map { $0 - .minutes(Double(offsetMinutes ?? 0)) }
  }
}

public struct TOMLDate: Equatable, Sendable {
  public var year: Int
  public var month: Int
  public var day: Int
}

public struct TOMLTime: Equatable, Sendable {
  public var hour: Int
  public var minute: Int
  public var second: Int
  public var nanosecond: Int
}
