/// The numbers of TOML: signs, bases, underscores, infinity.
enum TOMLNumber {
  case integer(Int64)
  case float(Double)
  /// An integer that does not fit in 64 bits.
  case tooLarge

  /// Nil when the word is not a number.
  static func read(_ word: ArraySlice<UInt8>) -> TOMLNumber? {
    var digits = word
    var isNegative = false
    if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      digits = digits.dropFirst()
    }
    if digits.elementsEqual("inf".utf8) { return .float(isNegative ? -.infinity : .infinity) }
    if digits.elementsEqual("nan".utf8) { return .float(.nan) }
    if let radix = radix(of: digits) {
      guard digits.count == word.count else { return nil }
      return integer(digits.dropFirst(2), radix: radix, isNegative: false)
    }
    if digits.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
      return float(digits, isNegative: isNegative)
    }
    guard digits.count == 1 || digits.first != UInt8(ascii: "0") else { return nil }
    return integer(digits, radix: 10, isNegative: isNegative)
  }

  /// The value of one digit; nil when it is not a digit in that base.
  static func digit(_ byte: UInt8, radix: UInt8) -> UInt8? {
    let value: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): value = byte - UInt8(ascii: "A") + 10
    default: return nil
    }
    return value < radix ? value : nil
  }

  private static func radix(of digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.first == UInt8(ascii: "0") else { return nil }
    switch digits.dropFirst().first {
    case UInt8(ascii: "x"): return 16
    case UInt8(ascii: "o"): return 8
    case UInt8(ascii: "b"): return 2
    default: return nil
    }
  }

  private static func integer(
    _ word: ArraySlice<UInt8>, radix: UInt8, isNegative: Bool
  ) -> TOMLNumber? {
    guard let digits = withoutUnderscores(word, radix: radix), !digits.isEmpty else { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard let digit = digit(byte, radix: radix) else { return nil }
      let (scaled, overflows) = number.multipliedReportingOverflow(by: Int64(radix))
      let step = isNegative ? -Int64(digit) : Int64(digit)
      let (sum, carries) = scaled.addingReportingOverflow(step)
      if overflows || carries { return .tooLarge }
      number = sum
    }
    return .integer(number)
  }

  private static func float(_ word: ArraySlice<UInt8>, isNegative: Bool) -> TOMLNumber? {
    let parts = word.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 | 0x20 == 0x65 })
    let mantissa = parts[0].split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == 0x2e })
    guard let whole = withoutUnderscores(mantissa[0], radix: 10), !whole.isEmpty,
      whole.count == 1 || whole[0] != UInt8(ascii: "0")
    else { return nil }
    var text = (isNegative ? "-" : "") + String(decoding: whole, as: UTF8.self)
    if mantissa.count == 2 {
      guard let fraction = withoutUnderscores(mantissa[1], radix: 10), !fraction.isEmpty
      else { return nil }
      text += "." + String(decoding: fraction, as: UTF8.self)
    }
    if parts.count == 2 {
      var exponent = parts[1]
      text += "e"
      if let sign = exponent.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
        if sign == UInt8(ascii: "-") { text += "-" }
        exponent = exponent.dropFirst()
      }
      guard let digits = withoutUnderscores(exponent, radix: 10), !digits.isEmpty
      else { return nil }
      text += String(decoding: digits, as: UTF8.self)
    }
    return Double(text).map { .float($0) }
  }

  /// The digits only; nil if there is anything else, or an underscore that is not between digits.
  private static func withoutUnderscores(_ word: ArraySlice<UInt8>, radix: UInt8) -> [UInt8]? {
    var digits: [UInt8] = []
    var previousIsDigit = false
    for byte in word {
      if byte == UInt8(ascii: "_") {
        guard previousIsDigit else { return nil }
        previousIsDigit = false
      } else {
        guard digit(byte, radix: radix) != nil else { return nil }
        digits.append(byte)
        previousIsDigit = true
      }
    }
    return previousIsDigit || word.isEmpty ? digits : nil
  }
}
