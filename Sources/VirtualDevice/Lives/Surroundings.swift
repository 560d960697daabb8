import Core

/// The places of one life, arranged at random around a point of the Earth.
struct Surroundings {
  private let plane: LocalPlane
  private var random: SeededRandom
  private var networks = 0

  /// - Parameter life: makes the lives of one seed different.
  init(around origin: Coordinate, seed: UInt64, life: UInt64) {
    plane = LocalPlane(origin: origin)
    random = SeededRandom(seed: seed, stream: 0x4C69_6665_0000 + life)
  }

  /// The same surroundings, with new places that depend on the day.
  func of(day: Int) -> Surroundings {
    var copy = self
    copy.random = SeededRandom(
      seed: copy.random.next(), stream: UInt64(bitPattern: Int64(day)))
    return copy
  }

  /// A place at that distance from the middle, in a random direction.
  /// - Parameter network: whether the board joins an access point there.
  mutating func place(
    _ name: String, metres: ClosedRange<Double>, _ reception: Reception, network: Bool = false,
    swing: Metres = 0
  ) -> PlannedPlace {
    place(
      name, from: .init(east: 0, north: 0), metres: metres, reception, network: network,
      swing: swing)
  }

  /// A place at that distance from another one.
  mutating func place(
    _ name: String, metres: ClosedRange<Double>, from other: PlannedPlace, _ reception: Reception,
    network: Bool = false, swing: Metres = 0
  ) -> PlannedPlace {
    place(
      name, from: plane.point(other.position), metres: metres, reception, network: network,
      swing: swing)
  }

  /// A route of that many legs, each of about that length, in roughly one direction.
  mutating func route(
    _ name: String, legs: Int, metres: ClosedRange<Double>, from start: PlannedPlace,
    _ reception: Reception
  ) -> [PlannedPlace] {
    var point = plane.point(start.position)
    var heading = random.uniform(in: 0...2)
    return (0..<legs).map { leg in
      heading += random.uniform(in: -0.25...0.25)
      point = away(from: point, metres: metres, heading: heading)
      return PlannedPlace(
        name: "\(name) \(leg + 1)", position: plane.coordinate(point), reception: reception)
    }
  }

  private mutating func place(
    _ name: String, from point: LocalPlane.Point, metres: ClosedRange<Double>,
    _ reception: Reception,
    network: Bool, swing: Metres
  ) -> PlannedPlace {
    let spot = away(from: point, metres: metres, heading: random.uniform(in: 0...2))
    var bssid: String?
    if network {
      networks += 1
      let tail = UInt32(truncatingIfNeeded: random.next())
      bssid = BSSID.text(tail, networks)
    }
    return PlannedPlace(
      name: name, position: plane.coordinate(spot), reception: reception, network: bssid,
      swing: swing)
  }

  /// - Parameter heading: in half turns; a diamond instead of a circle needs no libm, whose last
  ///   digit differs between processors.
  private mutating func away(
    from point: LocalPlane.Point, metres: ClosedRange<Double>, heading: Double
  ) -> LocalPlane.Point {
    let distance = random.uniform(in: metres)
    let turn = heading - 2 * (heading / 2).rounded(.down)
    let east = turn < 1 ? 1 - 2 * turn : 2 * turn - 3
    let north = (1 - east.magnitude) * (turn < 1 ? 1 : -1)
    let stretch = distance / (east * east + north * north).squareRoot()
    return .init(
      east: point.east + Metres(east * stretch), north: point.north + Metres(north * stretch))
  }
}

/// Locally administered hardware addresses, which are not assigned to manufacturers (IEEE 802,
/// 48-bit, bit 41).
enum BSSID {
  static func text(_ block: UInt32, _ number: Int) -> String {
    let bytes = [
      0x02, UInt8(block & 0xFF), UInt8(block >> 8 & 0xFF), UInt8(block >> 16 & 0xFF),
      UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF),
    ]
    return bytes.map { Hexadecimal.text([$0]) }.joined(separator: ":")
  }
}
