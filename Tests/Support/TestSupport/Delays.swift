import Core

/// Delays as the tables of studies show them, in whole seconds.
public struct Delays {
  private let sorted: [Seconds]

  public init(_ values: [Seconds]) { sorted = values.sorted() }

  /// "30 / 1440 s": the median and the 95th percentile.
  public var medianAndP95: String { "\(text(0.5)) / \(text(0.95)) s" }

  /// - Parameter share: the quantile, from 0 to 1. "-": there are no values.
  public func text(_ share: Double) -> String {
    guard !sorted.isEmpty else { return "-" }
    let rank = Int((Double(sorted.count - 1) * share).rounded())
    return FixedDecimal.text(sorted[rank].value, digits: 0)
  }
}
