/// How many of some were so, and which share of all of them is, with a confidence of 95 % (E. B.
/// Wilson, J. Am. Stat. Assoc. 22 (1927) 209).
public struct Proportion: Hashable, Sendable {
  /// How many were so.
  public let count: Int
  /// Of how many.
  public let all: Int

  /// - Parameter all: one at least.
  public init(_ count: Int, of all: Int) {
    self.count = count
    self.all = max(1, all)
  }

  /// Of 1.
  public var share: Double { Double(count) / Double(all) }
  /// The lower end of the interval of 95 % around the share.
  public var low: Double { max(0, middle - halfWidth) }
  /// Its upper end.
  public var high: Double { min(1, middle + halfWidth) }

  private static let square = StudentT.normal975 * StudentT.normal975

  private var middle: Double { (Double(count) + Self.square / 2) / (Double(all) + Self.square) }

  private var halfWidth: Double {
    let scatter = Double(count) * (1 - share) + Self.square / 4
    return StudentT.normal975 * scatter.squareRoot() / (Double(all) + Self.square)
  }
}
