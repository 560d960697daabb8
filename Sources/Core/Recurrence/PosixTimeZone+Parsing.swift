extension PosixTimeZone {
  /// - Parameter text: a complete POSIX TZ string with its rules. A string that names a file, or
  ///   summer time without its changes, is rejected.
  init(parsing text: some Collection<UInt8>) throws(TimeZoneError) {
    self.text = String(decoding: text, as: UTF8.self)
    var reader = Reader(bytes: Array(text))
    try reader.name()
    standard = -(try reader.clock(hours: 24))
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    try reader.name()
    let offset = reader.next == Reader.comma ? standard + 3600 : -(try reader.clock(hours: 24))
    try reader.skip(Reader.comma)
    let begin = try reader.change()
    try reader.skip(Reader.comma)
    let end = try reader.change()
    guard reader.isAtEnd else { throw reader.error }
    guard OffsetChange.offsets.contains(standard), OffsetChange.offsets.contains(offset) else {
      throw .offsetOutOfRange
    }
    summer = Summer(offset: offset, begin: begin, end: end)
  }

  /// Parses the bytes; every number is range-checked before it is used.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    static let comma = UInt8(ascii: ",")
    private static let colon = UInt8(ascii: ":")
    private static let dot = UInt8(ascii: ".")

    var isAtEnd: Bool { index == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[index] }
    var error: TimeZoneError { .malformedRule(at: index) }

    private mutating func skips(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      index += 1
      return true
    }

    mutating func skip(_ byte: UInt8) throws(TimeZoneError) {
      guard skips(byte) else { throw error }
    }

    /// At least three letters, or any letters, digits and signs between `<` and `>`.
    mutating func name() throws(TimeZoneError) {
      let isQuoted = skips(UInt8(ascii: "<"))
      let first = index
      while let byte = next, Self.isLetter(byte) || isQuoted && Self.isDigitOrSign(byte) {
        index += 1
      }
      guard index - first >= 3 else { throw error }
      if isQuoted { try skip(UInt8(ascii: ">")) }
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func clock(hours limit: Int) throws(TimeZoneError) -> Int {
      let isNegative = skips(UInt8(ascii: "-"))
      if !isNegative { _ = skips(UInt8(ascii: "+")) }
      var seconds = try number(0...limit) * 3600
      if skips(Self.colon) {
        seconds += try number(0...59) * 60
        if skips(Self.colon) { seconds += try number(0...59) }
      }
      return isNegative ? -seconds : seconds
    }

    /// `date[/time]`; the time defaults to 02:00.
    mutating func change() throws(TimeZoneError) -> YearlyChange {
      let day = try day()
      let time = skips(UInt8(ascii: "/")) ? try clock(hours: 167) : 7200
      return YearlyChange(day: day, time: time)
    }

    private mutating func day() throws(TimeZoneError) -> YearlyChange.Day {
      if skips(UInt8(ascii: "J")) { return .withoutLeapDay(try number(1...365)) }
      guard skips(UInt8(ascii: "M")) else { return .zeroBased(try number(0...365)) }
      let month = try number(1...12)
      try skip(Self.dot)
      let week = try number(1...5)
      try skip(Self.dot)
      return .weekday(month: month, week: week, weekday: try number(0...6))
    }

    /// At most three digits.
    private mutating func number(_ range: ClosedRange<Int>) throws(TimeZoneError) -> Int {
      let first = index
      var number = 0
      while let byte = next, byte &- 48 <= 9, index - first < 3 {
        number = number * 10 + Int(byte - 48)
        index += 1
      }
      guard index > first, range.contains(number) else { throw error }
      return number
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte & 0xDF &- 65 < 26 }

    private static func isDigitOrSign(_ byte: UInt8) -> Bool {
      byte &- 48 <= 9 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
    }
  }
}
