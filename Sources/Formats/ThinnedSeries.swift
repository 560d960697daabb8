/// A series of any length in bounded memory: for a very long one every second, fourth … point, with
/// all line starts, the first point and the last.
public struct ThinnedSeries<Value: Sendable>: Sendable {
  public struct Point: Sendable {
    public let value: Value
    /// Whether no line leads to it.
    public fileprivate(set) var beginsLine: Bool
  }

  private let maxPoints: Int
  private var kept: [Point] = []
  /// The newest, if it is not among the kept ones.
  private var last: Point?
  private var count = 0
  private var stride = 1

  /// - Parameter maxPoints: limit of the kept points; there may be one more.
  public init(maxPoints: Int) { self.maxPoints = maxPoints }

  public var points: [Point] { kept + (last.map { [$0] } ?? []) }

  public mutating func add(_ value: Value, beginsLine: Bool) {
    // A line start since the last kept point is inherited.
    let point = Point(value: value, beginsLine: beginsLine || last?.beginsLine ?? false)
    defer { count += 1 }
    guard count % stride == 0 else { return last = point }
    kept.append(point)
    last = nil
    if kept.count > maxPoints { thin() }
  }

  private mutating func thin() {
    stride *= 2
    var thinned: [Point] = []
    for index in kept.indices where index % 2 == 0 {
      var point = kept[index]
      if index > 0, kept[index - 1].beginsLine { point.beginsLine = true }
      thinned.append(point)
    }
    // With an even number the newest was dropped.
    if kept.count % 2 == 0 { last = kept.last }
    kept = thinned
  }
}
