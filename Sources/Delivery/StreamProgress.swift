/// A collector's progress in a stream: all numbers up to one, and some beyond a gap.
public struct StreamProgress: Equatable, Sendable {
  /// Limit of numbers beyond a gap: more come only from a faulty board.
  public static let mostAhead = 100_000

  /// 0: none.
  public private(set) var through: Int64
  public private(set) var ahead: Set<Int64>

  public init(through: Int64 = 0, ahead: Set<Int64> = []) {
    self.through = through
    self.ahead = ahead
  }

  /// Adds new records.
  ///
  /// - Returns: those records, in their order, each number once.
  /// - Throws: if too many are beyond a gap, as text to follow "has sent".
  public mutating func take(
    _ records: [CollectedRecord]
  ) throws(MessageProblem) -> [CollectedRecord] {
    let new = records.filter { $0.sequence > through && ahead.insert($0.sequence).inserted }
    while ahead.remove(through + 1) != nil { through += 1 }
    guard ahead.count <= Self.mostAhead else {
      throw MessageProblem("more than \(Self.mostAhead) records without their predecessors")
    }
    return new
  }
}
