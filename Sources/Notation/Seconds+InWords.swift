import Quantities

extension Seconds {
  /// For a sentence: `52 s`, `12 min`, `3 h 05 min`, `4 d 2 h`.
  public var inWords: String {
    let seconds = Int64(max(0, min(value.isNaN ? 0 : value, 1e12)).rounded())
    if seconds < 120 { return "\(seconds) s" }
    let minutes = (seconds + 30) / 60
    if minutes < 60 { return "\(minutes) min" }
    let rest = minutes % 60
    if minutes < 48 * 60 { return "\(minutes / 60) h \(rest < 10 ? "0" : "")\(rest) min" }
    let hours = (minutes + 30) / 60
    return "\(hours / 24) d \(hours % 24) h"
  }
}
