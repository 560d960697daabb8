/// Medians and percentiles of sorted values.
public enum Ranks {
  /// The mean of the middle two of an even number; nil for none.
  public static func median<Q: Quantity>(_ sorted: [Q]) -> Q? {
    guard !sorted.isEmpty else { return nil }
    let upper = sorted[sorted.count / 2]
    return sorted.count % 2 == 1 ? upper : (sorted[sorted.count / 2 - 1] + upper) * 0.5
  }

  /// The smallest value that so many of them do not exceed; nil for none.
  public static func percentile<Q: Quantity>(_ share: Double, _ sorted: [Q]) -> Q? {
    sorted.isEmpty ? nil : sorted[rank(share, of: sorted.count) - 1]
  }

  /// From 1 to `count`.
  public static func rank(_ share: Double, of count: Int) -> Int {
    max(1, min(count, Int((share * Double(count)).rounded(.up))))
  }
}
