/// Local time as a number of seconds, so that days and offsets can be added. The fields of a
/// `CivilTime` do not include a zone.
extension CivilTime {
  static let secondsInDay = 86_400

  /// The range of an instant in whole seconds: ±292 years around 1970.
  static let instantSeconds = -9_223_372_036...9_223_372_036

  /// Seconds from 1970-01-01T00:00:00 to this time on the same scale; nil if a field is out of
  /// range.
  var localSeconds: Int? { instant?.wholeSeconds }

  /// - Parameter seconds: limited to the range of an instant.
  init(localSeconds seconds: Int) { self.init(UTCInstant(wholeSeconds: seconds)) }
}

extension UTCInstant {
  /// Rounded towards the past.
  var wholeSeconds: Int { Int(nanoseconds).flooredQuotient(by: 1_000_000_000) }

  /// - Parameter seconds: limited to the range of an instant.
  init(wholeSeconds seconds: Int) {
    let range = CivilTime.instantSeconds
    let limited = min(max(seconds, range.lowerBound), range.upperBound)
    self.init(nanoseconds: Int64(limited) * 1_000_000_000)
  }
}

extension Int {
  /// Rounded towards minus infinity, for a positive divisor.
  func flooredQuotient(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// 0..<divisor, for a positive divisor.
  func flooredRemainder(by divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
