extension Seconds {
  /// For a sentence: `52 s`, `12 min`, `3 h 05 min`, `4 d 2 h`.
  public var inWords: String {
    let minutes = wholeMinutes
    let seconds = Int64(bounded.rounded())
    if seconds < 120 { return "\(seconds) s" }
    if minutes < 48 * 60 { return hoursAndMinutes }
    let hours = (minutes + 30) / 60
    return "\(hours / 24) d \(hours % 24) h"
  }

  /// For tables: `12 min`, `26 h 05 min`.
  public var hoursAndMinutes: String {
    let minutes = wholeMinutes
    guard minutes >= 60 else { return "\(minutes) min" }
    let rest = minutes % 60
    return "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min"
  }

  public var wholeMinutes: Int64 { Int64((bounded / 60).rounded()) }

  private var bounded: Double { max(0, min(value.isNaN ? 0 : value, 1e12)) }
}
