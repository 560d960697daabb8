import Quantities

/// What a receiver or gpsd may claim; nil for anything else, not a number and infinity among them.
enum Plausible {
  static func speed(_ value: Double) -> MetresPerSecond? {
    (0...1e5).contains(value) ? MetresPerSecond(value) : nil
  }

  /// Over ground, from true north; 360 is 0.
  static func course(_ value: Double) -> Degrees? {
    (0...360).contains(value) ? Degrees(value == 360 ? 0 : value) : nil
  }

  /// An estimated error in metres, or in metres per second.
  static func error<Q: Quantity>(_ value: Double) -> Q? {
    (0...1e9).contains(value) ? Q(value) : nil
  }

  /// Dilution of precision: 99.99 stands for none.
  static func dilution(_ value: Double) -> Double? { (0...1e9).contains(value) ? value : nil }

  static func satellites(_ count: Int) -> Int? { (0...1000).contains(count) ? count : nil }
}
