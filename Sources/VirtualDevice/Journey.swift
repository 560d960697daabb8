import Core

/// The actual course of one trip: a winding path, travelled in hops between stops, each with an
/// acceleration, a cruise and a braking phase.
struct Journey {
  let departure: UTCInstant
  private(set) var arrival: UTCInstant
  private let plane: LocalPlane
  private let mode: TravelMode
  private let corners: [LocalPlane.Point]
  /// Metres from the start to each corner.
  private let mileage: [Double]
  private var hops: [Hop] = []

  private struct Hop {
    /// Seconds after the departure, metres after the start.
    let begins: Double
    let from: Double
    let length: Double
    let cruise: Double
    let acceleration: Double
    let pause: Double

    var rampTime: Double { cruise / acceleration }
    var runTime: Double { length / cruise + rampTime }

    /// Distance and speed, some seconds after the hop began.
    func motion(after time: Double) -> (mileage: Double, speed: Double) {
      let left = runTime - time
      if left <= 0 { return (from + length, 0) }
      if time < rampTime {
        return (from + acceleration * time * time / 2, acceleration * time)
      }
      if left < rampTime {
        return (from + length - acceleration * left * left / 2, acceleration * left)
      }
      return (from + cruise * (time - rampTime / 2), cruise)
    }
  }

  init(
    from start: Coordinate, to end: Coordinate, by mode: TravelMode, at departure: UTCInstant,
    random: inout SeededRandom
  ) {
    self.departure = departure
    plane = LocalPlane(origin: start)
    self.mode = mode
    corners = Self.way(to: plane.point(end))
    var mileage = [0.0]
    for (a, b) in zip(corners, corners.dropFirst()) {
      mileage.append(mileage.last! + a.distance(to: b).value)
    }
    self.mileage = mileage
    arrival = departure
    hops = Self.hops(over: mileage.last!, by: mode, random: &random)
    if let last = hops.last { arrival = departure + Seconds(last.begins + last.runTime) }
  }

  func state(at time: UTCInstant) -> TrueState {
    let elapsed = max(0, (time - departure).value)
    let next = hops.partitionPoint { $0.begins > elapsed }
    guard !hops.isEmpty else { return TrueState(position: plane.origin, reception: mode.reception) }
    let hop = hops[max(0, next - 1)]
    let (mileage, speed) = hop.motion(after: elapsed - hop.begins)
    let corner = min(
      max(1, self.mileage.partitionPoint { $0 > mileage }), corners.count - 1)
    let a = corners[corner - 1]
    let b = corners[corner]
    let length = self.mileage[corner] - self.mileage[corner - 1]
    let share = length > 0 ? (mileage - self.mileage[corner - 1]) / length : 0
    let position = plane.coordinate(
      .init(east: a.east + (b.east - a.east) * share, north: a.north + (b.north - a.north) * share))
    return TrueState(
      position: position, altitude: 3, speed: MetresPerSecond(speed),
      track: Sphere.bearing(from: plane.coordinate(a), to: plane.coordinate(b)),
      reception: reception(at: mileage))
  }

  private func reception(at mileage: Double) -> Reception {
    guard let tunnels = mode.tunnels else { return mode.reception }
    let cycle = (tunnels.spacing + tunnels.length).value
    let within = mileage - (mileage / cycle).rounded(.down) * cycle
    return within < tunnels.spacing.value ? mode.reception : .none
  }

  /// Streets are not straight: the middle of each stretch is displaced, until stretches are as long
  /// as a block. The path between the same two places is always the same.
  private static func way(to end: LocalPlane.Point) -> [LocalPlane.Point] {
    var random = SeededRandom(
      seed: end.east.value.bitPattern ^ (end.north.value.bitPattern &* 31))
    var way = [LocalPlane.Point(east: 0, north: 0), end]
    while way[0].distance(to: way[1]) > 120, way.count < 4096 {
      var finer = [way[0]]
      for (a, b) in zip(way, way.dropFirst()) {
        let aside = random.uniform(in: -0.22...0.22)
        let east = (a.east + b.east) / 2 + (b.north - a.north) * aside
        let north = (a.north + b.north) / 2 - (b.east - a.east) * aside
        finer += [LocalPlane.Point(east: east, north: north), b]
      }
      way = finer
    }
    return way
  }

  private static func hops(
    over distance: Double, by mode: TravelMode, random: inout SeededRandom
  ) -> [Hop] {
    var hops: [Hop] = []
    var done = 0.0
    var clock = 0.0
    while done < distance {
      var length = mode.stopSpacing.value * random.uniform(in: 0.6...1.4)
      if distance - done - length < mode.stopSpacing.value * 0.3 { length = distance - done }
      let wanted = mode.cruise.value * max(0.5, 1 + 0.1 * random.gaussian())
      // A short hop never reaches cruising speed: it brakes from the highest reachable speed.
      let reachable = (length * mode.acceleration.value).squareRoot()
      let hop = Hop(
        begins: clock, from: done, length: length, cruise: min(wanted, reachable),
        acceleration: mode.acceleration.value,
        pause: mode.stopTime.value * random.uniform(in: 0...2))
      hops.append(hop)
      done += length
      clock += hop.runTime + hop.pause
    }
    return hops
  }
}
