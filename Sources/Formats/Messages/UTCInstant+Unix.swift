import Core

extension UTCInstant {
  /// Since 1970, rounded down.
  var wholeSeconds: Int {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(rest < 0 ? seconds - 1 : seconds)
  }
}
