import PowerControl
import Quantities

/// The kinds of settings. Each makes the whole descriptor from a name, a place and a range.
extension Setting {
  typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

  /// A quantity; the range is in the unit of the name.
  static func quantity<Q: Quantity>(
    _ name: String, _ place: Place<Q>, _ range: ClosedRange<Double>, _ doc: String
  ) -> Setting {
    guard let unit = SettingUnit(ofName: name), unit.quantity == Q.symbol else {
      preconditionFailure("\(name) must end in a unit of \(Q.self)")
    }
    return Setting(
      name, accepts: accepted(range, unit), doc: doc,
      read: { value, settings throws(Mismatch) in
        let number = try number(value, in: range, unit: unit)
        settings[keyPath: place] = Q(unit.value(ofWritten: number))
      },
      show: { .number(unit.written($0[keyPath: place].value)) })
  }

  /// A number without a unit.
  static func ratio(
    _ name: String, _ place: Place<Double>, _ range: ClosedRange<Double>, _ doc: String
  ) -> Setting {
    precondition(SettingUnit(ofName: name) == nil, "\(name) has a unit: it is a quantity")
    return Setting(
      name, accepts: accepted(range, nil), doc: doc,
      read: { value, settings throws(Mismatch) in
        settings[keyPath: place] = try number(value, in: range, unit: nil)
      },
      show: { .number($0[keyPath: place]) })
  }

  /// A whole number: a count, a port, or bytes when the name ends in `MB`.
  static func integer(
    _ name: String, _ place: Place<Int>, _ range: ClosedRange<Int>, _ doc: String
  ) -> Setting {
    let unit = SettingUnit(ofName: name)
    let scale = Int(unit?.multiplier ?? 1)
    let accepts = "\(range.lowerBound) to \(range.upperBound)\(unit.map { " \($0.symbol)" } ?? "")"
    return Setting(
      name, accepts: accepts, doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .integer(let number) = value.content else {
          throw Mismatch(reason: "is \(value.kind); it takes a whole number, \(accepts)")
        }
        guard let whole = Int(exactly: number), range.contains(whole) else {
          throw Mismatch(reason: "= \(number) is out of range; it takes \(accepts)")
        }
        settings[keyPath: place] = whole * scale
      },
      show: { .number(Double($0[keyPath: place] / scale)) })
  }

  /// One of a few numbers.
  static func integer(
    _ name: String, _ place: Place<Int>, oneOf choices: [Int], _ doc: String
  ) -> Setting {
    let accepts = list(choices.map(\.description))
    return Setting(
      name, accepts: accepts, doc: doc,
      read: { value, settings throws(Mismatch) in
        settings[keyPath: place] = try choice(value, among: choices, accepts, number: \.self)
      },
      show: { .number(Double($0[keyPath: place])) })
  }

  /// One of a few cases that have numbers.
  static func integer<Case: RawRepresentable & Sendable>(
    _ name: String, _ place: Place<Case>, oneOf cases: [Case], _ doc: String
  ) -> Setting where Case.RawValue == Int {
    let accepts = list(cases.map(\.rawValue.description))
    return Setting(
      name, accepts: accepts, doc: doc,
      read: { value, settings throws(Mismatch) in
        settings[keyPath: place] = try choice(value, among: cases, accepts, number: \.rawValue)
      },
      show: { .number(Double($0[keyPath: place].rawValue)) })
  }

  /// Of a chip on an I2C bus: 7 bits, those reserved by the bus left out; 0 stands for any.
  static func address(_ name: String, _ place: Place<Int>, _ doc: String) -> Setting {
    let accepts = "0 or 0x08 to 0x77"
    return Setting(
      name, accepts: accepts, doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .integer(let number) = value.content else {
          throw Mismatch(reason: "is \(value.kind); it takes a whole number, \(accepts)")
        }
        guard number == 0 || (0x08...0x77).contains(number) else {
          let written = number < 0 ? "\(number)" : "0x" + String(number, radix: 16)
          throw Mismatch(reason: "= \(written) is out of range; it takes \(accepts)")
        }
        settings[keyPath: place] = Int(number)
      },
      show: { .address($0[keyPath: place]) })
  }

  static func flag(_ name: String, _ place: Place<Bool>, _ doc: String) -> Setting {
    Setting(
      name, accepts: "true or false", doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .bool(let flag) = value.content else {
          throw Mismatch(reason: "is \(value.kind); it takes true or false")
        }
        settings[keyPath: place] = flag
      },
      show: { .bool($0[keyPath: place]) })
  }

  /// One of a few words. The words in `later` are known but not there yet, and refused as such.
  static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ place: Place<Choice>, later: [String] = [], _ doc: String
  ) -> Setting where Choice.RawValue == String {
    let accepts = list(Choice.allCases.map { "\"\($0.rawValue)\"" })
    return Setting(
      name, accepts: accepts, doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .string(let word) = value.content else {
          throw Mismatch(reason: "is \(value.kind); it takes \(accepts)")
        }
        guard let choice = Choice(rawValue: word) else {
          let why = later.contains(word) ? "is not supported by this version yet" : "is unknown"
          throw Mismatch(reason: "= \(SettingValue.text(word).toml) \(why); it takes \(accepts)")
        }
        settings[keyPath: place] = choice
      },
      show: { .text($0[keyPath: place].rawValue) })
  }

  /// Text of a bounded length in bytes: a path, a host, a group.
  static func text(
    _ name: String, _ place: Place<String>, atMost longest: Int, canBeEmpty: Bool = false,
    _ doc: String
  ) -> Setting {
    let shortest = canBeEmpty ? 0 : 1
    let accepts = "text of \(shortest) to \(longest) bytes"
    return Setting(
      name, accepts: accepts, doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .string(let text) = value.content else {
          throw Mismatch(reason: "is \(value.kind); it takes text in quotes")
        }
        try Self.refuseNull(in: text)
        guard (shortest...longest).contains(text.utf8.count) else {
          throw Mismatch(reason: "has \(text.utf8.count) bytes; it takes \(accepts)")
        }
        settings[keyPath: place] = text
      },
      show: { .text($0[keyPath: place]) })
  }

  /// The kernel's texts end at the first such byte.
  private static func refuseNull(in text: String) throws(Mismatch) {
    guard !text.utf8.contains(0) else {
      throw Mismatch(reason: "holds the character U+0000, which no name or path has")
    }
  }

  /// A GPIO line, or an empty text for none.
  static func line(
    _ name: String, _ place: Place<GpioLine?>, _ doc: String
  ) -> Setting {
    Setting(
      name, accepts: "a line's name or LABEL:OFFSET, or \"\"", doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .string(let text) = value.content else {
          throw Mismatch(reason: "is \(value.kind); it takes text in quotes")
        }
        guard !text.isEmpty else { return settings[keyPath: place] = nil }
        try Self.refuseNull(in: text)
        guard text.utf8.count <= 200 else {
          throw Mismatch(reason: "has \(text.utf8.count) bytes; a line takes 200 at most")
        }
        do throws(GpioLine.Mismatch) {
          settings[keyPath: place] = try GpioLine(parsing: text)
        } catch {
          throw Mismatch(reason: error.reason)
        }
      },
      show: { .text($0[keyPath: place]?.text ?? "") })
  }

  /// A day, UTC, written as a TOML date.
  static func date(_ name: String, _ place: Place<UTCInstant>, _ doc: String) -> Setting {
    Setting(
      name, accepts: "a date from 1980-01-06 to 2200-01-01", doc: doc,
      read: { value, settings throws(Mismatch) in
        guard case .dateTime(let moment) = value.content, moment.time == nil,
          let instant = moment.instant
        else {
          throw Mismatch(reason: "is \(value.kind); it takes a date such as 2026-01-31, no quotes")
        }
        guard (315_964_800...7_258_118_400).contains(instant.seconds) else {
          throw Mismatch(reason: "is out of range; it takes a date from 1980-01-06 to 2200-01-01")
        }
        settings[keyPath: place] = instant
      },
      show: { .date($0[keyPath: place]) })
  }

  private static func choice<Choice>(
    _ value: TOMLValue, among choices: [Choice], _ accepts: String, number: (Choice) -> Int
  ) throws(Mismatch) -> Choice {
    guard case .integer(let written) = value.content else {
      throw Mismatch(reason: "is \(value.kind); it takes a whole number: \(accepts)")
    }
    guard let choice = choices.first(where: { Int64(number($0)) == written }) else {
      throw Mismatch(reason: "= \(written) is none of its values; it takes \(accepts)")
    }
    return choice
  }

  private static func number(
    _ value: TOMLValue, in range: ClosedRange<Double>, unit: SettingUnit?
  ) throws(Mismatch) -> Double {
    let number: Double
    switch value.content {
    case .integer(let integer): number = Double(integer)
    case .float(let float): number = float
    default:
      throw Mismatch(reason: "is \(value.kind); it takes a number, \(accepted(range, unit))")
    }
    guard range.contains(number) else {
      let written = SettingValue.number(number).toml
      throw Mismatch(reason: "= \(written) is out of range; it takes \(accepted(range, unit))")
    }
    return number
  }

  private static func accepted(_ range: ClosedRange<Double>, _ unit: SettingUnit?) -> String {
    let lowest = SettingValue.number(range.lowerBound).toml
    let highest = SettingValue.number(range.upperBound).toml
    return "\(lowest) to \(highest)\(unit.map { " \($0.symbol)" } ?? "")"
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
