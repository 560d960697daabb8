import Core
import Records

/// The way of the board as its locations tell it, of which coarse ones may lie kilometres off with
/// the best of accuracies: an access point that was moved, a tower that answers from far away.
///
/// A location that cannot be reached in the time is not believed, unless for some minutes all say
/// the same: then the board has come there unseen, by air. One to which the way goes there and
/// back, much faster than the way straight on, is taken back when the next location shows that.
struct CoarsePlausibility: Sendable {
  /// Faster than anything on the ground.
  private static let fastest: MetresPerSecond = 100
  /// Nobody goes there and back faster than this, and than twice as fast as straight on.
  private static let detour: MetresPerSecond = 20
  /// How many times its accuracy a location may be off.
  private static let errors = 2.0
  /// So long and so often a place out of reach is told by all before it is believed.
  private static let (longDoubt, manyDoubts): (Seconds, Int) = (600, 3)

  private var before: Location?
  private var last: Location?
  /// The first of those that were not believed since then and agree with each other, and how many.
  private var doubted: (first: Location, count: Int)?

  /// - Returns: why it is not believed; nil: it may be.
  mutating func objection(to location: Location) -> String? {
    guard let last, location.time > last.time, Self.isOutOfReach(location, from: last),
      !isWrong(last, if: location)
    else { return nil }
    let agreeing = doubted.flatMap { Self.isOutOfReach(location, from: $0.first) ? nil : $0 }
    let doubted = (first: agreeing?.first ?? location, count: (agreeing?.count ?? 0) + 1)
    self.doubted = doubted
    if doubted.count >= Self.manyDoubts, location.time - doubted.first.time >= Self.longDoubt {
      return nil
    }
    let distance = Sphere.distance(last.position, location.position)
    return "\(Int((distance.value / 1000).rounded())) km from where the board was "
      + "\((location.time - last.time).inWords) before"
  }

  /// - Returns: the coarse location before it, if those around it contradict it.
  mutating func take(_ location: Location) -> Location? {
    guard location.time > last?.time ?? location.time - 1 else { return nil }
    defer {
      last = location
      doubted = nil
    }
    if let last, isWrong(last, if: location) {
      before = before ?? doubted?.first
      return last
    }
    before = last
    return nil
  }

  /// Whether a location that is right shows that the coarse one before it is wrong: the way goes
  /// there and back; or nothing speaks for the one before, and two speak against it, or a fix.
  private func isWrong(_ there: Location, if location: Location) -> Bool {
    guard there.source == .coarse else { return false }
    if let before { return Self.isDetour(there, before, location) }
    guard Self.isOutOfReach(location, from: there) else { return false }
    return location.source != .coarse
      || doubted.map { !Self.isOutOfReach(location, from: $0.first) } ?? false
  }

  private static func isOutOfReach(_ location: Location, from there: Location) -> Bool {
    Sphere.distance(there.position, location.position)
      - (there.accuracy + location.accuracy) * errors > fastest * (location.time - there.time)
  }

  private static func isDetour(
    _ there: Location, _ before: Location, _ after: Location
  ) -> Bool {
    let time = after.time - before.time
    let way =
      Sphere.distance(before.position, there.position)
      + Sphere.distance(there.position, after.position)
    let errors = there.accuracy * 2 + before.accuracy + after.accuracy
    let straight = Sphere.distance(before.position, after.position)
    return way - errors > max(detour * time, straight * 2)
  }
}
