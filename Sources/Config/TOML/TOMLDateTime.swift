import Core

/// Recognises TOML's four kinds of dates and times: dates, times, both, both with an offset. The
/// setting that receives them interprets them.
struct TOMLDateTime {
  private var rest: ArraySlice<UInt8>

  /// Whether a word has the form `dddd-dd-dd`, so that a time may follow after a blank.
  static func looksLikeDate(_ word: ArraySlice<UInt8>) -> Bool {
    word.count == 10 && word[word.startIndex + 4] == UInt8(ascii: "-")
      && word[word.startIndex + 7] == UInt8(ascii: "-")
  }

  /// Whether a word is exactly one of the four kinds, with an existing date.
  static func isValid(_ word: ArraySlice<UInt8>) -> Bool {
    var reader = TOMLDateTime(rest: word)
    guard reader.takeDate() else {
      reader.rest = word
      return reader.takeTime() && reader.rest.isEmpty
    }
    guard !reader.rest.isEmpty else { return true }
    guard reader.take("Tt "), reader.takeTime() else { return false }
    return reader.rest.isEmpty || reader.takeOffset() && reader.rest.isEmpty
  }

  private mutating func take(_ set: StaticString) -> Bool {
    guard let byte = rest.first, set.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func take(_ digits: Int, in range: ClosedRange<Int>) -> Int? {
    let word = rest.prefix(digits)
    guard word.count == digits, word.allSatisfy({ TOMLNumber.digit($0, radix: 10) != nil }),
      let number = Int(String(decoding: word, as: UTF8.self)), range.contains(number)
    else { return nil }
    rest = rest.dropFirst(digits)
    return number
  }

  private mutating func takeDate() -> Bool {
    guard let year = take(4, in: 0...9999), take("-"), let month = take(2, in: 1...12), take("-")
    else { return false }
    return take(2, in: 1...CivilTime.days(inMonth: month, of: year)) != nil
  }

  private mutating func takeTime() -> Bool {
    guard take(2, in: 0...23) != nil, take(":"), take(2, in: 0...59) != nil, take(":"),
      take(2, in: 0...59) != nil
    else { return false }
    guard take(".") else { return true }
    let decimals = rest.prefix { TOMLNumber.digit($0, radix: 10) != nil }
    rest = rest.dropFirst(decimals.count)
    return !decimals.isEmpty
  }

  /// "Z", "+hh:mm" or "-hh:mm".
  private mutating func takeOffset() -> Bool {
    if take("Zz") { return true }
    return take("+-") && take(2, in: 0...23) != nil && take(":") && take(2, in: 0...59) != nil
  }
}
