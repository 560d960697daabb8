import Energy
import Notation
import Quantities

/// The last currents as one line of block characters, scaled to the highest.
struct CurrentPlot {
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private let width: Int
  private var currents: [Double] = []

  init(width: Int) { self.width = max(0, width) }

  mutating func take(_ current: Amperes) {
    currents.append(max(0, current.value))
    if currents.count > width { currents.removeFirst(currents.count - width) }
  }

  /// A failed reading: a gap.
  mutating func skip() {
    currents.append(.nan)
    if currents.count > width { currents.removeFirst(currents.count - width) }
  }

  var text: String {
    let top = currents.filter(\.isFinite).max() ?? 0
    return String(
      currents.map { current -> Character in
        guard current.isFinite else { return " " }
        guard top > 0 else { return Self.blocks[0] }
        return Self.blocks[min(7, Int(current / top * 8))]
      })
  }
}

/// Readings and their figures for people.
enum PowerText {
  static func milliamperes(_ current: Amperes?) -> String {
    guard let current else { return "-" }
    let value = current.value * 1000
    let digits = value.magnitude < 1 ? 4 : value.magnitude < 100 ? 3 : 1
    return FixedDecimal.text(value, digits: digits)
  }

  static func reading(_ reading: PowerReading) -> String {
    let current =
      reading.isBelowFloor
      ? "below floor"
      : "\(milliamperes(reading.current)) ± \(milliamperes(reading.currentUncertainty)) mA"
    let voltage =
      FixedDecimal.text(reading.voltage.value, digits: 3)
      + (reading.isVoltageMeasured ? " V" : " V (nominal)")
    let power = "\(FixedDecimal.text(reading.power.value * 1000, digits: 2)) mW"
    return [current, voltage, power].joined(separator: "  ")
  }
}
