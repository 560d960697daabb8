/// The range of longitudes and latitudes that contains a set of rings.
struct RegionExtent {
  private var south = 90.0
  private var north = -90.0
  /// Each edge's western end, 0..<360, and its width in degrees.
  private var spans: [(west: Double, width: Double)] = []
  private var isRound = false

  init(of rings: [SphericalRing]) {
    for ring in rings {
      for edge in ring.edges { add(edge) }
      guard ring.isRoundPole else { continue }
      isRound = true
      if ring.hasNorthPole { north = 90 } else { south = -90 }
    }
  }

  private mutating func add(_ edge: SphericalRing.Edge) {
    south = min(south, edge.from.latitude.value)
    north = max(north, edge.from.latitude.value)
    let west = edge.turn < 0 ? edge.to.longitude.value : edge.from.longitude.value
    spans.append((west < 0 ? west + 360 : west, edge.turn.magnitude))
  }

  /// The box runs from the east end of the widest gap between edges to the west end of that gap.
  var box: GeographicBox {
    let sorted = spans.sorted { $0.west < $1.west }
    guard !isRound, let first = sorted.first, spans.allSatisfy({ $0.width < 360 }) else {
      return box(west: -180, east: 180)
    }
    var reached = first.west + first.width
    var gap = (from: 0.0, to: 0.0)
    for span in sorted {
      if span.west - reached > gap.to - gap.from { gap = (reached, span.west) }
      reached = max(reached, span.west + span.width)
    }
    // The last gap wraps around to the first span.
    if first.west + 360 - reached > gap.to - gap.from { gap = (reached, first.west + 360) }
    guard gap.to - gap.from > 1e-9 else { return box(west: -180, east: 180) }
    var west = Self.signed(gap.to)
    var east = Self.signed(gap.from)
    // A box that ends on the antimeridian uses the sign of its own side.
    if west == 180 { west = -180 }
    if east == -180 { east = 180 }
    return box(west: west, east: east)
  }

  private static func signed(_ degrees: Double) -> Double {
    var degrees = degrees
    while degrees > 180 { degrees -= 360 }
    return degrees
  }

  private func box(west: Double, east: Double) -> GeographicBox {
    GeographicBox(
      west: Degrees(west), south: Degrees(south), east: Degrees(east), north: Degrees(north))
  }
}
