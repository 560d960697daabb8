#if canImport(Glibc)
  import Glibc
#endif

/// A closed line of positions, as edges that are straight in longitude and latitude (RFC 7946,
/// section 3.1.1) and go the short way round the Earth.
///
/// A ring may cross the antimeridian, or be cut there and run along it. It may also surround a
/// pole: along the edges of the map (from 180 east over the pole to 180 west), or simply once
/// around.
struct SphericalRing {
  struct Edge {
    var from: Coordinate
    var to: Coordinate
    /// Degrees of longitude, east positive: at most 180, except along a pole.
    var turn: Double

    var isPolar: Bool { Sphere.isAlongPole(from: from, to: to) }

    var reversed: Edge { Edge(from: to, to: from, turn: -turn) }

    /// The position at the fraction `part`, 0...1, of the edge.
    func position(at part: Double) -> Coordinate {
      if part <= 0 { return from }
      if part >= 1 { return to }
      let latitude =
        from.latitude.value + (to.latitude.value - from.latitude.value) * part
      return Coordinate(
        latitude: Degrees(latitude),
        longitude: Sphere.normalizedLongitude(Degrees(from.longitude.value + turn * part)))
    }
  }

  private(set) var edges: [Edge] = []
  /// On the unit sphere, positive where the inside is on the left.
  private(set) var signedArea = 0.0
  /// Whether the north pole is inside and no edge leads there.
  private(set) var hasNorthPole = false
  /// Whether the ring surrounds a pole and no edge leads there.
  private(set) var isRoundPole = false

  /// - Parameter corners: in their order; the first may be repeated at the end.
  init(_ corners: [Coordinate]) {
    guard let last = corners.last else { return }
    edges.reserveCapacity(corners.count)
    var previous = last
    for corner in corners {
      defer { previous = corner }
      guard corner != previous else { continue }
      edges.append(Edge(from: previous, to: corner, turn: Self.turn(previous, corner)))
    }
    measure()
  }

  /// The short way round, except along a pole: there, 180 to -180 is once around, as written.
  private static func turn(_ a: Coordinate, _ b: Coordinate) -> Double {
    let turn =
      Sphere.isAlongPole(from: a, to: b)
      ? b.longitude - a.longitude : Sphere.longitudeDifference(from: a, to: b)
    return turn.value
  }

  /// The area by Green's theorem: the integral of the sine of the latitude over the longitude, in
  /// closed form for straight edges.
  private mutating func measure() {
    var sines = 0.0
    var turns = 0.0
    for edge in edges {
      let south = Sphere.radians(edge.from.latitude)
      let north = Sphere.radians(edge.to.latitude)
      let half = (north - south) / 2
      let turn = edge.turn * .pi / 180
      sines += turn * sin((south + north) / 2) * (half.magnitude < 1e-6 ? 1 : sin(half) / half)
      turns += turn
    }
    isRoundPole = turns.magnitude > .pi
    guard isRoundPole else {
      signedArea = -sines
      return
    }
    // Such a ring is ambiguous: its smaller side counts as the inside.
    hasNorthPole = sines / turns >= 0
    signedArea = (hasNorthPole ? turns : -turns) - sines
  }

  /// Orients the ring so that the inside is on the left, or on the right.
  mutating func orient(left: Bool) {
    guard signedArea < 0 ? left : !left else { return }
    edges = edges.reversed().map(\.reversed)
    signedArea = -signedArea
  }
}
