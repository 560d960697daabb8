import Core

/// The guide's recent positions, and so the centre of the group's circle at a given time.
///
/// A group in a bus covers 4 km between two positions, and stops or moves meanwhile as traffic
/// allows. So a member is compared with every place where the guide may have been at the time of
/// the member's position: a member near any of them has not fallen behind.
struct GuideTrack: Hashable, Sendable {
  /// Of the guide's possible places at a time, the one nearest to a member, and the error of the
  /// positions it is based on.
  struct Point: Hashable, Sendable {
    let position: Coordinate
    /// In each of the two axes.
    let deviation: Metres
  }

  private static let longest = 16
  /// Two positions no further apart than this count as simultaneous.
  private static let together: Seconds = 20
  /// A person at rest may drive off in a car at any moment.
  private static let topSpeed: MetresPerSecond = 40
  /// A possible movement up to this distance is ignored.
  private static let step: Metres = 20
  /// How far the guide may be off the straight line at its middle, as a share of its length.
  private static let bend = 0.25

  /// By time.
  private(set) var positions: [GroupPosition] = []

  init() {}
  init(_ positions: [GroupPosition]) {
    self.positions = Array(positions.sorted { $0.time < $1.time }.suffix(Self.longest))
  }

  var last: GroupPosition? { positions.last }

  /// A position older than the last is dropped: its time was already evaluated.
  /// - Returns: whether the position was kept.
  mutating func add(_ position: GroupPosition) -> Bool {
    if let last, position.time <= last.time { return false }
    positions.append(position)
    if positions.count > Self.longest { positions.removeFirst() }
    return true
  }

  /// - Parameters:
  ///   - place: where the member was at that time.
  ///   - isApart: whether the member was outside before; then a place the guide could have reached
  ///     is no evidence that the guide was there.
  ///   - gap: nothing is known between positions further apart than this.
  /// - Returns: nil while the guide's place is unknown; the guide's next position may change that.
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

  /// Shortly before or after a position. Whether the guide is beside a member within reach is
  /// unknown.
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

  /// Anywhere on the way or beside it: how the guide moved in between is unknown.
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
