import Quantities

extension TOMLDateTime {
  /// Whether a word has the form `dddd-dd-dd`, so that a time may follow after a blank.
  static func looksLikeDate(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 10 && word[word.startIndex + 4] == UInt8(ascii: "-")
      && word[word.startIndex + 7] == UInt8(ascii: "-")
  }

  /// Nil for everything that is not exactly one of the four forms, and for days that do not exist.
  init?(_ word: ArraySlice<UInt8>) {
    var rest = word
    if let date = TOMLDate(&rest) {
      guard !rest.isEmpty else {
        self.init(date: date)
        return
      }
      guard Self.take(&rest, oneOf: "Tt "), let time = TOMLTime(&rest) else { return nil }
      self.init(date: date, time: time)
      guard !rest.isEmpty else { return }
      offsetMinutes = Self.offset(&rest)
      guard offsetMinutes != nil, rest.isEmpty else { return nil }
    } else {
      guard let time = TOMLTime(&rest), rest.isEmpty else { return nil }
      self.init(time: time)
    }
  }

  static func take(_ rest: inout ArraySlice<UInt8>, oneOf set: StaticString) -> Bool {
    guard let byte = rest.first, set.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    rest = rest.dropFirst()
    return true
  }

  static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
    guard rest.count >= digits else { return nil }
    var number = 0
    for byte in rest.prefix(digits) {
      guard let digit = TOMLNumber.digit(byte, radix: 10) else { return nil }
      number = number * 10 + Int(digit)
    }
    rest = rest.dropFirst(digits)
    return number
  }

  /// "Z", "+hh:mm" or "-hh:mm" in minutes east of UTC.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if take(&rest, oneOf: "Zz") { return 0 }
    let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
    guard take(&rest, oneOf: "+-"), let hours = number(&rest, digits: 2), take(&rest, oneOf: ":"),
      let minutes = number(&rest, digits: 2), hours <= 23, minutes <= 59
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}

extension TOMLDate {
  /// `yyyy-mm-dd` at the start of `rest`, which is shortened only when it is there.
  init?(_ rest: inout ArraySlice<UInt8>) {
    var ahead = rest
    guard let year = TOMLDateTime.number(&ahead, digits: 4), TOMLDateTime.take(&ahead, oneOf: "-"),
      let month = TOMLDateTime.number(&ahead, digits: 2), TOMLDateTime.take(&ahead, oneOf: "-"),
      let day = TOMLDateTime.number(&ahead, digits: 2), (1...12).contains(month),
      day >= 1, day <= CivilTime.days(inMonth: month, of: year)
    else { return nil }
    self.init(year: year, month: month, day: day)
    rest = ahead
  }
}

extension TOMLTime {
  /// `hh:mm:ss[.fraction]` at the start of `rest`; digits past the ninth are dropped.
  init?(_ rest: inout ArraySlice<UInt8>) {
    var ahead = rest
    guard let hour = TOMLDateTime.number(&ahead, digits: 2), TOMLDateTime.take(&ahead, oneOf: ":"),
      let minute = TOMLDateTime.number(&ahead, digits: 2), TOMLDateTime.take(&ahead, oneOf: ":"),
      let second = TOMLDateTime.number(&ahead, digits: 2), hour <= 23, minute <= 59, second <= 59
    else { return nil }
    self.init(hour: hour, minute: minute, second: second, nanosecond: 0)
    if TOMLDateTime.take(&ahead, oneOf: ".") {
      var scale = 100_000_000
      let digits = ahead.prefix { TOMLNumber.digit($0, radix: 10) != nil }
      guard !digits.isEmpty else { return nil }
      for byte in digits where scale > 0 {
        nanosecond += Int(byte - UInt8(ascii: "0")) * scale
        scale /= 10
      }
      ahead = ahead.dropFirst(digits.count)
    }
    rest = ahead
  }
}
