import Quantities

/// The charge of one recording as it adds up over time, in bounded memory: of a very long one every
/// second, fourth … point, with its first and its last.
public struct ChargeCurve: Sendable {
  /// A plot is not wider in pixels.
  static let maxPoints = 2000

  public struct Point: Hashable, Sendable {
    /// Since the first reading.
    public let elapsed: Seconds
    public let charge: Coulombs
    /// Whether the time before it is missing: no line leads to it.
    public fileprivate(set) var isAfterGap: Bool
  }

  private var kept: [Point] = []
  /// The newest, if it is not among those.
  private var last: Point?
  private var count = 0
  private var stride = 1

  public init() {}

  public var points: [Point] { kept + (last.map { [$0] } ?? []) }

  /// - Parameter charge: of all the time measured until then.
  mutating func add(_ charge: Coulombs, at elapsed: Seconds, isAfterGap: Bool) {
    // A gap is kept even if its end is not.
    let point = Point(
      elapsed: elapsed, charge: charge, isAfterGap: isAfterGap || last?.isAfterGap ?? false)
    defer { count += 1 }
    guard count % stride == 0 else { return last = point }
    kept.append(point)
    last = nil
    if kept.count > Self.maxPoints { thin() }
  }

  private mutating func thin() {
    stride *= 2
    var thinned: [Point] = []
    for index in kept.indices where index % 2 == 0 {
      var point = kept[index]
      if index > 0, kept[index - 1].isAfterGap { point.isAfterGap = true }
      thinned.append(point)
    }
    if kept.count % 2 == 0 { last = kept.last }
    kept = thinned
  }
}
