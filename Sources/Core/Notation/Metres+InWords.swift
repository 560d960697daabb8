extension Metres {
  /// For a sentence: `9.4 m`, `640 m`, `1.2 km`, `350 km`.
  public var inWords: String {
    let metres = value.isFinite ? value : 0
    return metres.magnitude < 1000
      ? "\(FixedDecimal.text(metres, digits: metres.magnitude < 10 ? 1 : 0)) m"
      : "\(FixedDecimal.text(metres / 1000, digits: metres.magnitude < 100_000 ? 1 : 0)) km"
  }
}
