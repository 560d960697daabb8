/// The unit at the end of a setting's name: `timeout_s`, `tracking_mA`, `retention_days`.
public struct SettingUnit: Equatable, Sendable {
  public let symbol: String
  /// Symbol of the quantity that it measures.
  let quantity: String
  let multiplier: Double
  let divisor: Double

  private static let bySuffix: [String: SettingUnit] = [
    "s": SettingUnit(symbol: "s", quantity: "s", multiplier: 1, divisor: 1),
    "days": SettingUnit(symbol: "days", quantity: "s", multiplier: 86_400, divisor: 1),
    "m": SettingUnit(symbol: "m", quantity: "m", multiplier: 1, divisor: 1),
    "deg": SettingUnit(symbol: "°", quantity: "°", multiplier: 1, divisor: 1),
    "mps": SettingUnit(symbol: "m/s", quantity: "m/s", multiplier: 1, divisor: 1),
    "mps2": SettingUnit(symbol: "m/s²", quantity: "m/s²", multiplier: 1, divisor: 1),
    "V": SettingUnit(symbol: "V", quantity: "V", multiplier: 1, divisor: 1),
    "mA": SettingUnit(symbol: "mA", quantity: "A", multiplier: 1, divisor: 1000),
    "mOhm": SettingUnit(symbol: "mΩ", quantity: "Ω", multiplier: 1, divisor: 1000),
    "MB": SettingUnit(symbol: "MB", quantity: "byte", multiplier: 1_000_000, divisor: 1),
  ]

  /// The unit that a name ends in; nil when it ends in none.
  public init?(ofName name: String) {
    guard let suffix = name.split(separator: "_").last.map(String.init),
      let unit = Self.bySuffix[suffix]
    else { return nil }
    self = unit
  }

  private init(symbol: String, quantity: String, multiplier: Double, divisor: Double) {
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
