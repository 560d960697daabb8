/// A share of a whole, with its confidence interval of 95 % (E. B. Wilson, J. Am. Stat. Assoc. 22
/// (1927) 209).
public struct Proportion: Hashable, Sendable {
  /// The number of cases with the property.
  public let count: Int
  /// The number of all cases.
  public let all: Int

  /// - Parameter all: at least 1.
  public init(_ count: Int, of all: Int) {
    self.count = count
    self.all = max(1, all)
  }

  /// 0...1
  public var share: Double { Double(count) / Double(all) }
  /// The lower end of the 95 % interval of the share.
  public var low: Double { max(0, middle - halfWidth) }
  /// The upper end of that interval.
  public var high: Double { min(1, middle + halfWidth) }

  private static let square = StudentT.normal975 * StudentT.normal975

  private var middle: Double { (Double(count) + Self.square / 2) / (Double(all) + Self.square) }

  private var halfWidth: Double {
    let scatter = Double(count) * (1 - share) + Self.square / 4
    return StudentT.normal975 * scatter.squareRoot() / (Double(all) + Self.square)
  }
}
