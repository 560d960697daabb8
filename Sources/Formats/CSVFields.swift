import Core

/// The fields of one line of a table (RFC 4180), one after the other.
struct CSVFields {
  let line: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ line: UnsafeBufferPointer<UInt8>) { self.line = line }

  var isAtEnd: Bool { index >= line.count }

  /// The bytes up to the next separator, without spaces and quotes around them.
  mutating func next(_ separator: UInt8) -> UnsafeBufferPointer<UInt8> {
    guard index < line.count else { return UnsafeBufferPointer(rebasing: line[line.count...]) }
    var start = index
    if line[index] == UInt8(ascii: "\"") {
      start = index + 1
      index = start
      while index < line.count {
        if line[index] == UInt8(ascii: "\"") {
          // Two of them stand for one.
          guard index + 1 < line.count, line[index + 1] == UInt8(ascii: "\"") else { break }
          index += 1
        }
        index += 1
      }
    }
    let quoteEnd = index
    while index < line.count, line[index] != separator { index += 1 }
    var end = start > 0 && line[start - 1] == UInt8(ascii: "\"") ? quoteEnd : index
    index += 1
    while start < end, line[start] == 0x20 { start += 1 }
    while end > start, line[end - 1] == 0x20 { end -= 1 }
    return UnsafeBufferPointer(rebasing: line[start..<end])
  }

  /// ISO 8601, also with slashes in the date, or seconds since 1970.
  static func time(_ field: UnsafeBufferPointer<UInt8>) -> UTCInstant? {
    guard beginsWithDate(field) else { return DecimalText.unixTime(field) }
    guard field[4] == slash else { return ISO8601.parse(field) }
    return withDashes(field).withUnsafeBufferPointer { ISO8601.parse($0) }
  }

  /// With the year first: any other order is ambiguous.
  static func beginsWithDate(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    field.count > 4 && (field[4] == dash || field[4] == slash)
  }

  private static let dash = UInt8(ascii: "-")
  private static let slash = UInt8(ascii: "/")
  private static let colon = UInt8(ascii: ":")

  private static func withDashes(_ field: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    field.map { $0 == slash ? dash : $0 }
  }

  // MARK: Dates and times in two columns

  /// The number of digits of hours, minutes and seconds without colons; nil: not such a time.
  static func digitsOfClock(_ field: UnsafeBufferPointer<UInt8>) -> Int? {
    let count = digits(of: field)
    guard (1...6).contains(count), field.count == count || field[count] == UInt8(ascii: ".") else {
      return nil
    }
    return count
  }

  /// A time of day with its colons; nil: it is none. Spreadsheets remove leading zeros.
  static func clock(_ field: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let zero = UInt8(ascii: "0")
    if let first = field.firstIndex(of: colon) { return (first == 1 ? [zero] : []) + field }
    guard let count = digitsOfClock(field) else { return nil }
    let digits = [UInt8](repeating: zero, count: 6 - count) + field
    return [digits[0], digits[1], colon, digits[2], digits[3], colon] + digits[4...]
  }

  /// Converts a date and time of the 12-hour clock to 24 hours; nil: it is none.
  static func time(
    _ field: UnsafeBufferPointer<UInt8>, half: UnsafeBufferPointer<UInt8>
  ) -> [UInt8]? {
    let word = half.map(lowercased).filter { $0 != UInt8(ascii: ".") }
    let isAfternoon = word.elementsEqual("pm".utf8)
    guard isAfternoon || word.elementsEqual("am".utf8), beginsWithDate(field), field.count > 13,
      let tens = digit(field[11]), let ones = digit(field[12]), (1...12).contains(tens * 10 + ones)
    else { return nil }
    let hour = (tens * 10 + ones) % 12 + (isAfternoon ? 12 : 0)
    let digits = [hour / 10, hour % 10].map { UInt8(ascii: "0") + UInt8($0) }
    return Array(field[..<11]) + digits + Array(field[13...])
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let digit = byte &- UInt8(ascii: "0")
    return digit <= 9 ? Int(digit) : nil
  }

  /// A date from a separate column, with its dashes.
  /// - Parameter isShort: whether six digits are year, month and day.
  static func day(_ field: UnsafeBufferPointer<UInt8>, isShort: Bool) -> [UInt8] {
    var bytes = withDashes(field)
    guard digits(of: field) == field.count else { return bytes }
    if isShort, bytes.count == 6 { bytes = Array("20".utf8) + bytes }
    guard bytes.count == 8 else { return bytes }
    bytes.insert(dash, at: 6)
    bytes.insert(dash, at: 4)
    return bytes
  }

  /// The number of leading digits.
  private static func digits(of field: UnsafeBufferPointer<UInt8>) -> Int {
    field.prefix { $0 &- UInt8(ascii: "0") <= 9 }.count
  }

  // MARK: Hemispheres

  static func isLetter(_ field: UnsafeBufferPointer<UInt8>, _ letter: Unicode.Scalar) -> Bool {
    field.count == 1 && field[0] & 0xDF == UInt8(ascii: letter)
  }

  /// Degrees without the trailing letter, and whether it makes them negative.
  static func withoutHemisphere(
    _ field: UnsafeBufferPointer<UInt8>
  ) -> (number: UnsafeBufferPointer<UInt8>, isNegative: Bool) {
    let number = UnsafeBufferPointer(rebasing: field.dropLast())
    let letter = UnsafeBufferPointer(rebasing: field.suffix(1))
    let isNegative = isLetter(letter, "S") || isLetter(letter, "W")
    guard isNegative || isLetter(letter, "N") || isLetter(letter, "E") else {
      return (field, false)
    }
    var end = number.count
    while end > 0, number[end - 1] == 0x20 { end -= 1 }
    return (UnsafeBufferPointer(rebasing: number[..<end]), isNegative)
  }

  /// Whether it is the word or letter of the negative hemisphere; nil: of neither.
  static func isNegative(
    _ field: UnsafeBufferPointer<UInt8>, _ positive: String, _ negative: String
  ) -> Bool? {
    let word = word(field)
    if [positive, String(positive.prefix(1))].contains(word) { return false }
    return [negative, String(negative.prefix(1))].contains(word) ? true : nil
  }

  // MARK: Others

  /// Whether it means yes or no; nil: neither.
  static func flag(_ field: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch word(field) {
    case "true", "t", "yes", "y", "1": true
    case "false", "f", "no", "n", "0": false
    default: nil
    }
  }

  /// Whether it marks a position as valid, also in the letters of receivers and the words of data
  /// loggers (QStarz, BT747); nil: neither.
  static func validity(_ field: UnsafeBufferPointer<UInt8>) -> Bool? {
    switch word(field) {
    case "a", "valid", "fix", "2d", "3d", "sps", "dgps", "pps", "rtk", "frtk": true
    case "v", "invalid", "no fix", "nofix", "none", "estimate", "manual", "simulato": false
    default: flag(field)
    }
  }

  private static func word(_ field: UnsafeBufferPointer<UInt8>) -> String {
    String(decoding: field.prefix(8).map(lowercased), as: UTF8.self)
  }

  /// The content of a field, with doubled quotes undone.
  static func content(_ field: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var content: [UInt8] = []
    var index = 0
    while index < field.count {
      content.append(field[index])
      let isDoubled = field[index] == quote && index + 1 < field.count && field[index + 1] == quote
      index += isDoubled ? 2 : 1
    }
    return content
  }

  private static let mostHours = 14.0

  /// The offset of local time from UTC as `+02:00`: from that form, from `+0200`, or from hours,
  /// minutes or seconds.
  static func zone(_ field: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    if field.contains(colon) { return Array(field) }
    guard let number = DecimalText.number(field) else { return nil }
    let minutes = minutes(field, number.magnitude)
    guard minutes <= mostHours * 60, minutes == minutes.rounded() else { return nil }
    let (hours, rest) = Int(minutes).quotientAndRemainder(dividingBy: 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return Array("\(number < 0 ? "-" : "+")\(two(hours)):\(two(rest))".utf8)
  }

  private static func minutes(_ field: UnsafeBufferPointer<UInt8>, _ size: Double) -> Double {
    let isSigned = field[0] == dash || field[0] == UInt8(ascii: "+")
    let digits = UnsafeBufferPointer(rebasing: field.dropFirst(isSigned ? 1 : 0))
    // Minutes are never written with a leading zero.
    if digits.count == 4, self.digits(of: digits) == 4,
      isSigned || digits[0] == UInt8(ascii: "0")
    {
      let (hours, rest) = Int(size).quotientAndRemainder(dividingBy: 100)
      if Double(hours) <= mostHours, rest < 60 { return Double(hours * 60 + rest) }
    }
    return size <= mostHours ? size * 60 : size < 900 ? size : size / 60
  }

  /// Its beginning, for a message, without terminal control characters.
  static func text(_ field: UnsafeBufferPointer<UInt8>, most: Int = 40) -> String {
    TerminalText.line(String(decoding: field.prefix(most), as: UTF8.self))
  }
}
