import Core

/// Where the guide has been of late, and so where the group's circle was at a moment.
///
/// A group in a bus goes 4 km between two positions, and stands or goes meanwhile as the traffic
/// has it. So a member is compared with where the guide may have been when the member's position
/// was taken: who was near any of that has not fallen behind.
struct GuideTrack: Hashable, Sendable {
  /// Of where the guide may have been at a moment what is nearest to somebody, and the errors of
  /// the positions that say so.
  struct Point: Hashable, Sendable {
    let position: Coordinate
    /// In each of the two directions.
    let deviation: Metres
  }

  private static let longest = 16
  /// Within which two positions are taken to be of one moment.
  private static let together: Seconds = 20
  /// Who stands may set off in a car the next moment.
  private static let topSpeed: MetresPerSecond = 40
  /// Who may have gone so far is where he was.
  private static let step: Metres = 20
  /// By how much of the way between two positions the guide may be beside the straight line, at
  /// its middle.
  private static let bend = 0.25

  /// In the order of their times.
  private(set) var positions: [GroupPosition] = []

  init() {}
  init(_ positions: [GroupPosition]) {
    self.positions = Array(positions.sorted { $0.time < $1.time }.suffix(Self.longest))
  }

  var last: GroupPosition? { positions.last }

  /// One that is older than the last is not kept: what it decides was decided.
  /// - Returns: whether it is.
  mutating func add(_ position: GroupPosition) -> Bool {
    if let last, position.time <= last.time { return false }
    positions.append(position)
    if positions.count > Self.longest { positions.removeFirst() }
    return true
  }

  /// - Parameters:
  ///   - place: where somebody was at that time.
  ///   - isApart: whether that person was outside before: that the guide could have come near is
  ///     not that he has.
  ///   - gap: positions that are farther apart say nothing of what was between them.
  /// - Returns: nil as long as nobody can tell; the guide's next position may.
  func point(nearest place: Coordinate, at time: UTCInstant, isApart: Bool = false, gap: Seconds)
    -> Point?
  {
    guard let first = positions.first, let last else { return nil }
    if time < first.time { return around(first, first.time - time, place, isApart) }
    guard time < last.time else { return around(last, time - last.time, place, isApart) }
    guard let after = positions.firstIndex(where: { $0.time > time }), after > 0 else { return nil }
    let (from, to) = (positions[after - 1], positions[after])
    let (time, whole) = (time - from.time, to.time - from.time)
    guard whole <= gap else { return nil }
    return between(from, to, time / whole, place)
  }

  /// Shortly before or after a position. Who could have been reached meanwhile may be beside the
  /// guide, or not: nobody can tell.
  private func around(
    _ position: GroupPosition, _ time: Seconds, _ place: Coordinate, _ isApart: Bool
  ) -> Point? {
    guard time <= Self.together else { return nil }
    let reach = Self.topSpeed * time
    let isFar = !isApart && Sphere.distance(position.position, place) > reach
    guard reach <= Self.step || isFar else { return nil }
    return Point(
      position: Self.step(from: position.position, to: place, atMost: reach),
      deviation: GroupError.deviation(of: position.accuracy))
  }

  /// Anywhere on the way, and beside it: how the guide went and stood in between nobody knows.
  private func between(
    _ from: GroupPosition, _ to: GroupPosition, _ part: Double, _ place: Coordinate
  ) -> Point {
    let plane = LocalPlane(origin: place)
    let (start, end) = (plane.point(from.position), plane.point(to.position))
    let (east, north) = (end.east - start.east, end.north - start.north)
    let square = east.value * east.value + north.value * north.value
    let along = -(start.east.value * east.value + start.north.value * north.value)
    let nearest = square > 0 ? min(max(along / square, 0), 1) : 0
    let onWay = plane.coordinate(
      LocalPlane.Point(east: start.east + east * nearest, north: start.north + north * nearest))
    let bend = start.distance(to: end) * (Self.bend * 2 * min(part, 1 - part))
    return Point(
      position: Self.step(from: onWay, to: place, atMost: bend),
      deviation: GroupError.deviation(of: max(from.accuracy, to.accuracy)))
  }

  private static func step(
    from start: Coordinate, to end: Coordinate, atMost reach: Metres
  ) -> Coordinate {
    let distance = Sphere.distance(start, end)
    guard distance > reach else { return end }
    return Sphere.destination(
      from: start, bearing: Sphere.bearing(from: start, to: end), distance: reach)
  }
}
