import Geodesy
import People
import Quantities

/// Where the guide has been of late, and so where the group's circle was at a moment.
///
/// A group in a bus goes 4 km between two positions. So a member is compared with where the guide
/// was when the member's position was taken, never with where the guide is by now.
struct GuideTrack: Hashable, Sendable {
  /// Where the guide was at a moment, and how exactly that is known.
  struct Point: Hashable, Sendable {
    let position: Coordinate
    /// In each of the two directions.
    let deviation: Metres
  }

  private static let most = 16
  /// Within which two positions are taken to be of one moment.
  private static let together: Seconds = 20
  /// Of a guide of whom one position is known.
  private static let walk: MetresPerSecond = 1.5
  /// By how much of the way between two positions the guide may be beside the straight line, at
  /// its middle.
  private static let bend = 0.25

  /// In the order of their times.
  private(set) var positions: [GroupPosition] = []

  init() {}
  init(_ positions: [GroupPosition]) {
    self.positions = Array(positions.sorted { $0.time < $1.time }.suffix(Self.most))
  }

  var last: GroupPosition? { positions.last }

  /// One that is older than the last is not kept: what it decides was decided.
  /// - Returns: whether it is.
  mutating func add(_ position: GroupPosition) -> Bool {
    if let last, position.time <= last.time { return false }
    positions.append(position)
    if positions.count > Self.most { positions.removeFirst() }
    return true
  }

  /// - Parameter gap: positions that are farther apart say nothing of what was between them.
  /// - Returns: nil as long as nobody can tell; the guide's next position may.
  func point(at time: UTCInstant, gap: Seconds) -> Point? {
    guard let first = positions.first, let last else { return nil }
    if time < first.time {
      return first.time - time <= Self.together ? near(first, first.time - time) : nil
    }
    guard time < last.time else {
      return time - last.time <= Self.together ? near(last, time - last.time) : nil
    }
    guard let after = positions.firstIndex(where: { $0.time > time }), after > 0 else { return nil }
    let (from, to) = (positions[after - 1], positions[after])
    let (time, whole) = (time - from.time, to.time - from.time)
    guard whole <= gap else { return nil }
    return between(from, to, time / whole)
  }

  private func near(_ position: GroupPosition, _ time: Seconds) -> Point {
    Point(
      position: position.position,
      deviation: GroupError.deviation([
        GroupError.deviation(of: position.accuracy), max(speed, Self.walk) * time,
      ]))
  }

  private func between(_ from: GroupPosition, _ to: GroupPosition, _ part: Double) -> Point {
    let way = Sphere.distance(from.position, to.position)
    let position = Sphere.destination(
      from: from.position, bearing: Sphere.bearing(from: from.position, to: to.position),
      distance: way * part)
    let accuracy = max(from.accuracy, to.accuracy)
    let bend = way * (Self.bend * 2 * min(part, 1 - part))
    return Point(
      position: position,
      deviation: GroupError.deviation([GroupError.deviation(of: accuracy), bend]))
  }

  private var speed: MetresPerSecond {
    guard positions.count > 1, let last else { return 0 }
    let before = positions[positions.count - 2]
    return Sphere.distance(before.position, last.position) / (last.time - before.time)
  }
}
