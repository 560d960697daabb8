import Core

/// The board's position according to the stored points: on the straight line between two points,
/// with constant speed; before the first and after the last at that point.
public struct StoredRoute: Sendable {
  /// A moment and the board's position.
  public struct Point: Hashable, Sendable {
    public var time: UTCInstant
    var position: Coordinate

    public init(time: UTCInstant, position: Coordinate) {
      self.time = time
      self.position = position
    }
  }

  private let points: [Point]

  /// - Parameter points: in any order.
  public init(_ points: [Point]) {
    self.points = points.sorted { $0.time < $1.time }
  }

  /// The synchronised Euclidean distance of each true position from the route.
  /// - Parameters:
  ///   - way: the true positions in the order of time.
  ///   - body: receives the position's index, and the distance; nil: there is no route.
  public func errors(along way: [Point], _ body: (Int, Metres?) -> Void) {
    var after = 0
    for (index, truth) in way.enumerated() {
      while after < points.count, points[after].time <= truth.time { after += 1 }
      body(index, distance(to: truth, after: after))
    }
  }

  /// - Parameter after: the index of the first point later than that moment.
  private func distance(to truth: Point, after: Int) -> Metres? {
    guard !points.isEmpty else { return nil }
    let plane = LocalPlane(origin: truth.position)
    let here = plane.point(truth.position)
    guard after > 0 else { return here.distance(to: plane.point(points[0].position)) }
    let start = points[after - 1]
    guard after < points.count else { return here.distance(to: plane.point(start.position)) }
    let share = (truth.time - start.time) / (points[after].time - start.time)
    let ends = (plane.point(start.position), plane.point(points[after].position))
    let line = LocalPlane.Point(
      east: ends.0.east + (ends.1.east - ends.0.east) * share,
      north: ends.0.north + (ends.1.north - ends.0.north) * share)
    return here.distance(to: line)
  }
}
