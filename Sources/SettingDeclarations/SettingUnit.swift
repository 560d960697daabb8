/// The unit at the end of a setting's name: `timeout_s`, `tracking_mA`, `retention_days`.
public struct SettingUnit: Equatable, Sendable {
  public let symbol: String
  /// Symbol of the quantity that it measures.
  let quantity: String
  let multiplier: Double
  let divisor: Double

  /// The unit that a name ends in; nil when it ends in none.
  public init?(ofName name: String) {
    switch name.split(separator: "_").last {
    case "s": self.init(symbol: "s", quantity: "s")
    case "days": self.init(symbol: "days", quantity: "s", multiplier: 86_400)
    case "m": self.init(symbol: "m", quantity: "m")
    case "deg": self.init(symbol: "°", quantity: "°")
    case "mps": self.init(symbol: "m/s", quantity: "m/s")
    case "mps2": self.init(symbol: "m/s²", quantity: "m/s²")
    case "V": self.init(symbol: "V", quantity: "V")
    case "mA": self.init(symbol: "mA", quantity: "A", divisor: 1000)
    case "mOhm": self.init(symbol: "mΩ", quantity: "Ω", divisor: 1000)
    case "MB": self.init(symbol: "MB", quantity: "byte", multiplier: 1_000_000)
    default: return nil
    }
  }

  private init(
    symbol: String, quantity: String, multiplier: Double = 1, divisor: Double = 1
  ) {
    self.symbol = symbol
    self.quantity = quantity
    self.multiplier = multiplier
    self.divisor = divisor
  }

  /// From the written number to the quantity's own unit.
  func value(ofWritten number: Double) -> Double { number * multiplier / divisor }

  /// The number with the fewest decimals that reads back as exactly this value.
  func written(_ value: Double) -> Double {
    let exact = value * divisor / multiplier
    var scale = 1.0
    for _ in 0...9 {
      let number = (exact * scale).rounded() / scale
      if self.value(ofWritten: number) == value { return number }
      scale *= 10
    }
    return exact
  }
}
