/// The accepted values of a setting, and how a value is shown. The unit comes from the setting's
/// name.
public struct SettingKind<Value>: Sendable {
  let accepts: @Sendable (SettingUnit?) -> String
  let read: @Sendable (WrittenValue, SettingUnit?) throws(SettingMismatch) -> Value
  let show: @Sendable (Value, SettingUnit?) -> SettingValue
  /// Whether a setting's name may end in that unit.
  let fits: @Sendable (SettingUnit?) -> Bool

  init(
    accepts: @escaping @Sendable (SettingUnit?) -> String,
    read: @escaping @Sendable (WrittenValue, SettingUnit?) throws(SettingMismatch) -> Value,
    show: @escaping @Sendable (Value, SettingUnit?) -> SettingValue,
    fits: @escaping @Sendable (SettingUnit?) -> Bool = { _ in true }
  ) {
    self.accepts = accepts
    self.read = read
    self.show = show
    self.fits = fits
  }

  /// A custom kind, without a unit.
  ///
  /// - Parameter read: throws a reason that follows the setting's name.
  public init(
    accepts: String,
    read: @escaping @Sendable (WrittenValue) throws(SettingMismatch) -> Value,
    show: @escaping @Sendable (Value) -> SettingValue
  ) {
    self.init(
      accepts: { _ in accepts },
      read: { value, _ throws(SettingMismatch) in try read(value) },
      show: { value, _ in show(value) })
  }

  /// A property that can be nil. The file expresses nil by a special value.
  ///
  /// - Parameter none: the special value, as the property would hold it: "", 0, -1.
  public static func optional<Wrapped: Equatable & Sendable>(
    _ kind: SettingKind<Wrapped>, noneAt none: Wrapped
  ) -> Self where Value == Wrapped? {
    Self(
      accepts: kind.accepts,
      read: { written, unit throws(SettingMismatch) in
        let value = try kind.read(written, unit)
        return value == none ? nil : value
      },
      show: { kind.show($0 ?? none, $1) }, fits: kind.fits)
  }
}

extension SettingKind where Value: Quantity {
  /// - Parameter range: in the unit of the setting's name.
  public static func quantity(_ range: ClosedRange<Double>) -> Self {
    Self(
      accepts: { WrittenNumber.accepted(range, $0) },
      read: { value, unit throws(SettingMismatch) in
        let number = try WrittenNumber.read(value, in: range, unit)
        return Value(unit?.value(ofWritten: number) ?? number)
      },
      show: { value, unit in .number(unit?.written(value.value) ?? value.value) },
      fits: { $0?.quantity == Value.symbol })
  }
}

extension SettingKind where Value == Double {
  /// A number without a unit.
  public static func ratio(_ range: ClosedRange<Double>) -> Self {
    Self(
      accepts: { WrittenNumber.accepted(range, $0) },
      read: { value, unit throws(SettingMismatch) in
        try WrittenNumber.read(value, in: range, unit)
      },
      show: { value, _ in .number(value) }, fits: { $0 == nil })
  }
}

extension SettingKind where Value: FixedWidthInteger & Sendable {
  /// A whole number: a count, a port, or bytes when the setting's name ends in `MB`.
  public static func integer(_ range: ClosedRange<Int>) -> Self {
    let accepts: @Sendable (SettingUnit?) -> String = { unit in
      "\(range.lowerBound) to \(range.upperBound)\(unit.map { " \($0.symbol)" } ?? "")"
    }
    return Self(
      accepts: accepts,
      read: { value, unit throws(SettingMismatch) in
        guard case .integer(let number) = value.content else {
          throw SettingMismatch("is \(value.kind); expected a whole number, \(accepts(unit))")
        }
        guard let whole = Int(exactly: number), range.contains(whole),
          let taken = Value(exactly: whole * scale(of: unit))
        else {
          throw SettingMismatch("= \(number) is out of range; expected \(accepts(unit))")
        }
        return taken
      },
      show: { value, unit in .number(Double(Int(clamping: value) / scale(of: unit))) })
  }

  private static func scale(of unit: SettingUnit?) -> Int { Int(unit?.multiplier ?? 1) }

  /// One of several numbers.
  public static func integer(oneOf choices: [Value]) -> Self {
    .number(among: choices) { Int64(clamping: $0) }
  }
}

extension SettingKind where Value: RawRepresentable & Sendable, Value.RawValue == Int {
  /// One of several cases with integer raw values.
  public static func integer(oneOf cases: [Value]) -> Self {
    .number(among: cases) { Int64($0.rawValue) }
  }
}

extension SettingKind where Value: Sendable {
  fileprivate static func number(
    among choices: [Value], _ number: @escaping @Sendable (Value) -> Int64
  ) -> Self {
    let accepts = Alternatives.text(choices.map { number($0).description })
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        guard case .integer(let written) = value.content else {
          throw SettingMismatch("is \(value.kind); expected a whole number: \(accepts)")
        }
        guard let choice = choices.first(where: { number($0) == written }) else {
          throw SettingMismatch("= \(written) is not a supported value; expected \(accepts)")
        }
        return choice
      },
      show: { .number(Double(number($0))) })
  }
}

extension SettingKind where Value == Int? {
  /// The 7-bit address of a chip on an I2C bus, without the reserved ones; 0 means any address.
  public static var address: Self {
    let accepts = "0 or 0x08 to 0x77"
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        guard case .integer(let number) = value.content else {
          throw SettingMismatch("is \(value.kind); expected a whole number, \(accepts)")
        }
        guard number == 0 || (0x08...0x77).contains(number) else {
          let written = number < 0 ? "\(number)" : "0x" + String(number, radix: 16)
          throw SettingMismatch("= \(written) is out of range; expected \(accepts)")
        }
        return number == 0 ? nil : Int(number)
      },
      show: { .address($0 ?? 0) })
  }
}

extension SettingKind where Value == Bool {
  public static var flag: Self {
    Self(
      accepts: "true or false",
      read: { value throws(SettingMismatch) in
        guard case .bool(let flag) = value.content else {
          throw SettingMismatch("is \(value.kind); expected true or false")
        }
        return flag
      },
      show: { .bool($0) })
  }
}

extension SettingKind
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of the cases' raw values.
  public static var choice: Self {
    let cases = SettingKind<String>.word(oneOf: Value.allCases.map(\.rawValue))
    return Self(
      accepts: cases.accepts,
      read: { written, unit throws(SettingMismatch) in
        let word = try cases.read(written, unit)
        guard let choice = Value(rawValue: word) else { throw SettingMismatch("is unknown") }
        return choice
      },
      show: { choice, _ in .text(choice.rawValue) })
  }
}

extension SettingKind {
  /// One of the cases' raw values, or a word for nil, which is listed first.
  public static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    none: String
  ) -> Self where Value == Choice?, Choice.RawValue == String {
    let words = SettingKind<String>.word(oneOf: [none] + Choice.allCases.map(\.rawValue))
    return Self(
      accepts: words.accepts,
      read: { written, unit throws(SettingMismatch) in
        Choice(rawValue: try words.read(written, unit))
      },
      show: { choice, _ in .text(choice?.rawValue ?? none) })
  }
}

extension SettingKind where Value == String {
  /// Text of a bounded length in bytes: a path, a host, a group.
  ///
  /// - Parameter check: throws a reason that follows the setting's name.
  public static func text(
    bytes lengths: ClosedRange<Int>,
    check: @escaping @Sendable (String) throws(SettingMismatch) -> Void = { _ in }
  ) -> Self {
    let accepts = "text of \(lengths.lowerBound) to \(lengths.upperBound) bytes"
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        let text = try value.textWithoutNull
        guard lengths.contains(text.utf8.count) else {
          throw SettingMismatch("has \(text.utf8.count) bytes; expected \(accepts)")
        }
        try check(text)
        return text
      },
      show: { .text($0) })
  }

  /// One of several words, such as the names of the available parts.
  public static func word(oneOf words: [String]) -> Self {
    let accepts = Alternatives.text(words.map { "\"\($0)\"" })
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        guard case .string(let word) = value.content else {
          throw SettingMismatch("is \(value.kind); expected \(accepts)")
        }
        guard words.contains(word) else {
          let written = SettingValue.text(word).toml
          throw SettingMismatch("= \(written) is unknown; expected \(accepts)")
        }
        return word
      },
      show: { .text($0) })
  }
}

extension SettingKind where Value == [String] {
  /// A list of texts; a single text needs no brackets.
  ///
  /// - Parameters:
  ///   - each: describes one text, for messages: "a public key in quotes".
  ///   - read: returns the text to store; throws what is wrong with it.
  public static func texts(
    atMost max: Int, each: String,
    read: @escaping @Sendable (String) throws(SettingMismatch) -> String
  ) -> Self {
    Self(
      accepts: "a list of up to \(max), each \(each)",
      read: { value throws(SettingMismatch) in
        var elements = [value]
        if case .array(let listed) = value.content { elements = listed }
        guard elements.count <= max else {
          throw SettingMismatch("has \(elements.count) elements; expected at most \(max)")
        }
        var faults: [SettingMismatch.Fault] = []
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
          do throws(SettingMismatch) {
            guard case .string(let text) = element.content else {
              throw SettingMismatch("is \(element.kind); expected \(each)")
            }
            texts.append(try read(text))
          } catch {
            faults.append(
              SettingMismatch.Fault(
                path: "[\(index + 1)]", element: index, line: element.line, reason: error.reason))
          }
        }
        guard faults.isEmpty else { throw SettingMismatch(faults) }
        return texts
      },
      show: { .texts($0) })
  }

  /// A list of texts with bounded lengths in bytes of UTF-8; a single text needs no brackets.
  ///
  /// - Parameter fault: what is wrong with a text of valid length; nil: nothing.
  public static func texts(
    atMost max: Int, bytes: ClosedRange<Int>,
    fault: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> Self {
    let range = "\(bytes.lowerBound) to \(bytes.upperBound)"
    return texts(atMost: max, each: "text of \(range) bytes") {
      text throws(SettingMismatch) in
      guard bytes.contains(text.utf8.count) else {
        throw SettingMismatch("has \(text.utf8.count) bytes; expected \(range)")
      }
      if let fault = fault(text) { throw SettingMismatch(fault) }
      return text
    }
  }
}

extension SettingKind where Value == UTCInstant {
  /// A day, UTC, written as a TOML date.
  public static var date: Self {
    let accepts = "a date from 1980-01-06 to 2200-01-01"
    return Self(
      accepts: accepts,
      read: { value throws(SettingMismatch) in
        guard case .dateTime(let text) = value.content, text.utf8.count == 10,
          let instant = ISO8601.parse(text)
        else {
          throw SettingMismatch("is \(value.kind); expected a date such as 2026-01-31, no quotes")
        }
        guard (315_964_800...7_258_118_400).contains(instant.seconds) else {
          throw SettingMismatch("is out of range; expected \(accepts)")
        }
        return instant
      },
      show: { .date($0) })
  }
}

extension WrittenValue {
  /// The kernel ends strings at the first NUL.
  public var textWithoutNull: String {
    get throws(SettingMismatch) {
      guard case .string(let text) = content else {
        throw SettingMismatch("is \(kind); expected text in quotes")
      }
      guard !text.utf8.contains(0) else {
        throw SettingMismatch("contains the character U+0000, which no name or path has")
      }
      return text
    }
  }
}

/// A number within a range.
private enum WrittenNumber {
  static func read(
    _ value: WrittenValue, in range: ClosedRange<Double>, _ unit: SettingUnit?
  ) throws(SettingMismatch) -> Double {
    let number: Double
    switch value.content {
    case .integer(let integer): number = Double(integer)
    case .float(let float): number = float
    default:
      throw SettingMismatch("is \(value.kind); expected a number, \(accepted(range, unit))")
    }
    guard range.contains(number) else {
      let written = SettingValue.number(number).toml
      throw SettingMismatch("= \(written) is out of range; expected \(accepted(range, unit))")
    }
    return number
  }

  static func accepted(_ range: ClosedRange<Double>, _ unit: SettingUnit?) -> String {
    let lowest = SettingValue.number(range.lowerBound).toml
    let highest = SettingValue.number(range.upperBound).toml
    return "\(lowest) to \(highest)\(unit.map { " \($0.symbol)" } ?? "")"
  }
}
