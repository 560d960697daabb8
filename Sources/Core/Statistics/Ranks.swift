/// Medians and percentiles of sorted values.
public enum Ranks {
  /// The mean of the two middle values for an even number; nil without values.
  public static func median<Q: Quantity>(_ sorted: [Q]) -> Q? {
    guard !sorted.isEmpty else { return nil }
    let upper = sorted[sorted.count / 2]
    return sorted.count % 2 == 1 ? upper : (sorted[sorted.count / 2 - 1] + upper) * 0.5
  }

  /// The smallest value that at least this share of the values does not exceed; nil without values.
  public static func percentile<Q: Quantity>(_ share: Double, _ sorted: [Q]) -> Q? {
    sorted.isEmpty ? nil : sorted[rank(share, of: sorted.count) - 1]
  }

  /// The rank, 1...`count`.
  public static func rank(_ share: Double, of count: Int) -> Int {
    max(1, min(count, Int((share * Double(count)).rounded(.up))))
  }
}
