import Core
import Records

/// Plausibility of the sequence of locations. Coarse ones may be kilometres off in spite of a good
/// claimed accuracy: an access point that was moved, a tower that answers from far away.
///
/// A location out of reach in the elapsed time is rejected, unless all agree on it for some
/// minutes: then the board has travelled there unobserved, by air. A location that makes the path
/// go there and back, much faster than the direct path, is withdrawn when the next location shows
/// that.
struct CoarsePlausibility: Sendable {
  /// Faster than any ground transport.
  private static let fastest: MetresPerSecond = 100
  /// A detour is implausible if faster than this and than twice the direct path.
  private static let detour: MetresPerSecond = 20
  /// The assumed error bound of a location, in multiples of its accuracy.
  private static let errors = 2.0
  /// A position out of reach is accepted after this time and this many agreeing locations.
  private static let (longDoubt, manyDoubts): (Seconds, Int) = (600, 3)

  private var before: Location?
  private var last: Location?
  /// The first of the rejected locations since then that agree with each other, and their number.
  private var doubted: (first: Location, count: Int)?

  /// - Returns: why it is rejected; nil: it is plausible.
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

  /// - Returns: the previous coarse location, if its neighbours contradict it.
  mutating func add(_ location: Location) -> Location? {
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

  /// Whether a correct `location` shows that the coarse one before it is wrong: the path is a
  /// detour, or there is nothing before it and two locations or one fix contradict it.
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
