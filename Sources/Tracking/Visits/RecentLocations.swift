import Core
import Records

/// A location as stored by the visit detector. Metres are those of the detector's plane, the time
/// is in nanoseconds of UTC, the speed in metres per second (NaN: unknown).
struct PlanarLocation: Hashable, Sendable {
  var time: Int64
  var x: Double
  var y: Double
  var speed: Double = .nan
  /// The direction of motion in degrees clockwise from north; nil: unknown.
  var course: Double?
  var sigma: Double = 0
  /// Whether it comes from a coarse source.
  var isFromCoarseSource = false
  /// Whether its error is so large that it indicates little more than the district.
  var isCoarse = false
  /// Whether it was not observed but concluded: the board cannot be far from it.
  var isAssumed = false
  /// Whether it is a known location at a later time: other evidence shows that the board is there.
  var isRepeated = false

  /// Metres per second: above the speed that a receiver measures on a board at a standstill.
  static let standstillSpeed = 0.6

  /// A coarse source measures no speed.
  var isMoving: Bool { speed >= Self.standstillSpeed && !isFromCoarseSource }
  /// Whether the receiver has observed it there at that time, not at speed.
  var isAtStandstill: Bool { !isMoving && !isFromCoarseSource && !isRepeated }

  /// An array instead of named fields: a path of a hundred of them is written with every commit.
  /// The flags follow where GNSS has not located the board there, or where the course is known,
  /// which comes last.
  static let coding = SnapshotCoding<PlanarLocation>(
    json: {
      let seen: [JSONValue] = [
        SnapshotCoding<Int64>.time.json($0.time), .number($0.x), .number($0.y),
        SnapshotCoding<Double>.length.json($0.speed), .number($0.sigma),
      ]
      let flags = [$0.isCoarse, $0.isAssumed, $0.isFromCoarseSource, $0.isRepeated]
      guard flags.contains(true) || $0.course != nil else { return .array(seen) }
      return .array(seen + flags.map { .bool($0) } + ($0.course.map { [.number($0)] } ?? []))
    },
    value: { json in
      guard let values = json?.array, (5...10).contains(values.count),
        let time = SnapshotCoding<Int64>.time.value(values[0]),
        let x = SnapshotCoding<Double>.metres.value(values[1]),
        let y = SnapshotCoding<Double>.metres.value(values[2]),
        let sigma = SnapshotCoding<Double>.length.value(values[4])
      else { return nil }
      let speed = SnapshotCoding<Double>.length.value(values[3]) ?? .nan
      // Earlier programs have written fewer flags.
      let isFlagged = { values.count > 5 + $0 && values[5 + $0] == .bool(true) }
      let course = values.count > 8 ? SnapshotCoding<Double>.metres.value(values.last) : nil
      return PlanarLocation(
        time: time, x: x, y: y, speed: speed, course: course, sigma: sigma,
        isFromCoarseSource: isFlagged(2), isCoarse: isFlagged(0), isAssumed: isFlagged(1),
        isRepeated: isFlagged(3))
    })
}

/// Converts coordinates from one plane to another.
struct PlaneShift {
  let from: LocalPlane
  let to: LocalPlane

  func move(_ x: inout Double, _ y: inout Double) {
    let point = to.point(from.coordinate(LocalPlane.Point(east: Metres(x), north: Metres(y))))
    x = point.east.value
    y = point.north.value
  }

  func move(_ location: inout PlanarLocation) { move(&location.x, &location.y) }

  func move(_ location: inout PlanarLocation?) {
    guard var moved = location else { return }
    move(&moved)
    location = moved
  }
}

/// Recent observations, at a stay or in motion: their plane, the speed, the last location in a
/// vehicle, and the last minutes of the path.
struct RecentLocations: Sendable {
  /// Beyond this many metres from its origin the plane is recentred.
  private static let planeReach = 20_000.0
  /// A coarse location with a larger error indicates a district, one with a smaller one a house.
  private static let district = 150.0
  /// One coarse location in a hundred is of another place altogether, so this many have to agree.
  private static let proof = 3

  private(set) var plane: LocalPlane
  /// The start of the speed measurement for a receiver that reports no speed, and its result.
  private var reference: PlanarLocation?
  private var impliedSpeed = Double.nan
  /// The last location at the speed of a vehicle.
  private(set) var lastInVehicle: PlanarLocation?
  /// The last location of the best quality: of a coarse source only where no better location is
  /// consistent with what coarse sources have reported since.
  private(set) var lastLocated: PlanarLocation?
  private var contradictions = 0
  private(set) var path = RecentPath()

  /// - Parameter origin: where the first location lies.
  init(around origin: Coordinate) { plane = LocalPlane(origin: origin) }

  /// Projects the next location onto the plane. One without a speed gets that of the last ones.
  mutating func take(_ location: Location) -> PlanarLocation {
    let point = plane.point(location.position)
    var seen = PlanarLocation(
      time: location.time.nanoseconds, x: point.east.value, y: point.north.value,
      sigma: max(5, location.accuracy.value))
    seen.isFromCoarseSource = location.source == .coarse
    seen.isCoarse = seen.isFromCoarseSource && seen.sigma > Self.district
    if let speed = location.speed { seen.speed = speed.value } else { implySpeed(&seen) }
    seen.course = location.track?.value
    return seen
  }

  /// The speed over the last ten seconds or more: one second of 1 Hz data is mostly noise.
  private mutating func implySpeed(_ seen: inout PlanarLocation) {
    guard let from = reference else {
      reference = seen
      return
    }
    let nanoseconds = seen.time - from.time
    if nanoseconds >= 10_000_000_000 {
      impliedSpeed = .nan
      if nanoseconds <= 60_000_000_000 {
        let dx = seen.x - from.x
        let dy = seen.y - from.y
        impliedSpeed = (dx * dx + dy * dy).squareRoot() / (Double(nanoseconds) / 1e9)
      }
      reference = seen
    }
    seen.speed = impliedSpeed
  }

  mutating func remember(_ seen: PlanarLocation, _ rules: StayRules) {
    if seen.speed >= rules.vehicle { lastInVehicle = seen }
    locate(seen)
    path.append(seen)
  }

  /// Whether the last location is consistent with the coarse sources: one location far away is an
  /// error, several in a row are not.
  var explainsCoarse: Bool { lastLocated != nil && contradictions < Self.proof }

  /// Compares a coarse location with the last location.
  mutating func compare(coarse seen: PlanarLocation) {
    guard let known = lastLocated else { return }
    let dx = seen.x - known.x
    let dy = seen.y - known.y
    let isFar = (dx * dx + dy * dy).squareRoot() > 2.5 * seen.sigma
    contradictions = isFar ? contradictions + 1 : 0
  }

  mutating func forgetPath(before first: Int64) { path.forget(before: first) }

  private mutating func locate(_ seen: PlanarLocation) {
    guard !seen.isAssumed else { return }
    if seen.isCoarse, contradictions < Self.proof { return }
    contradictions = 0
    lastLocated = seen
  }

  static func isFar(_ x: Double, _ y: Double) -> Bool {
    max(x.magnitude, y.magnitude) > planeReach
  }

  /// Recentres the plane on one of its points, so that it stays accurate there.
  /// - Returns: the shift for all other stored coordinates.
  mutating func recentre(onX x: Double, y: Double) -> PlaneShift {
    let origin = plane.coordinate(LocalPlane.Point(east: Metres(x), north: Metres(y)))
    let shift = PlaneShift(from: plane, to: LocalPlane(origin: origin))
    plane = shift.to
    shift.move(&reference)
    shift.move(&lastInVehicle)
    shift.move(&lastLocated)
    path.move(shift)
    return shift
  }
}

// MARK: Over a restart

extension RecentLocations {
  static let originField = SnapshotField<RecentLocations>.position(\.origin)
  static let fields: [SnapshotField<RecentLocations>] = [
    .optional("reference", \.reference, PlanarLocation.coding),
    .defaulted("implied_speed", \.impliedSpeed, .length, .nan),
    .optional("vehicle", \.lastInVehicle, PlanarLocation.coding),
    .optional("whereabouts", \.lastLocated, PlanarLocation.coding),
    .defaulted("path", \.path, RecentPath.coding, RecentPath()),
  ]

  private var origin: Coordinate {
    get { plane.origin }
    set { plane = LocalPlane(origin: newValue) }
  }
}

/// The last few minutes of locations, thinned, in a ring of fixed size: needed to determine the
/// exact arrival at a place where a stay is proved only minutes later.
struct RecentPath: Hashable, Sendable {
  private static let capacity = 96
  /// 96 samples at 5 s or more apart reach back 8 minutes.
  private static let spacing: Int64 = 5_000_000_000

  private var ring: [PlanarLocation] = []
  private var oldest = 0
  private var newestTime = Int64.min

  var newest: PlanarLocation? {
    ring.isEmpty ? nil : ring[(oldest + ring.count - 1) % ring.count]
  }

  /// Oldest first.
  var locations: [PlanarLocation] { Array(ring[oldest...] + ring[..<oldest]) }

  /// The place of the stay since then: the median of the locations, weighted by duration and
  /// accuracy, so that the paths to the place and away do not bias it. Nil: too little is known.
  func restingPoint(since first: Int64) -> (x: Double, y: Double)? {
    let path = locations.filter { $0.time >= first && !$0.isCoarse && !$0.isAssumed }
    guard path.count >= 3 else { return nil }
    // The newest location is left out: its duration is not known yet.
    let weighted = zip(path, path.dropFirst()).map { seen, next in
      (seen, Double(next.time - seen.time) / seen.sigma)
    }
    return (
      Self.median(of: weighted.map { ($0.x, weight: $1) }),
      Self.median(of: weighted.map { ($0.y, weight: $1) })
    )
  }

  private static func median(of values: [(value: Double, weight: Double)]) -> Double {
    let sorted = values.sorted { $0.value < $1.value }
    let half = sorted.reduce(0) { $0 + $1.weight } / 2
    var below = 0.0
    let middle = sorted.first {
      below += $0.weight
      return below >= half
    }
    return middle?.value ?? .nan
  }

  mutating func append(_ seen: PlanarLocation) {
    guard newestTime == .min || seen.time - newestTime >= Self.spacing else { return }
    newestTime = seen.time
    var seen = seen
    seen.course = nil
    if goesOn(seen) {
      ring[(oldest + ring.count - 1) % ring.count] = seen
    } else if ring.count < Self.capacity {
      ring.append(seen)
    } else {
      ring[oldest] = seen
      oldest = oldest + 1 == Self.capacity ? 0 : oldest + 1
    }
  }

  /// Whether the last three locations are identical to the millimetre: other evidence shows that
  /// the board has not moved. The first and last of a night of them are sufficient, and each one
  /// would be written with every commit.
  private func goesOn(_ seen: PlanarLocation) -> Bool {
    guard ring.count >= 3 else { return false }
    return (1...3).allSatisfy { back in
      let known = ring[(oldest + ring.count - back) % ring.count]
      return known.x == seen.x && known.y == seen.y && known.sigma == seen.sigma
        && known.speed == seen.speed && known.isCoarse == seen.isCoarse
        && known.isAssumed == seen.isAssumed
    }
  }

  /// Drops locations that are no longer needed. The newest is always kept.
  mutating func forget(before first: Int64) {
    let kept = locations
    ring = kept.filter { $0.time >= first }
    if ring.isEmpty { ring = kept.suffix(1) }
    oldest = 0
  }

  mutating func move(_ shift: PlaneShift) {
    for index in ring.indices { shift.move(&ring[index]) }
  }

  /// Damaged locations are dropped.
  static let coding = SnapshotCoding<RecentPath>(
    json: { .array($0.locations.map(PlanarLocation.coding.json)) },
    value: { json in
      var path = RecentPath()
      for location in json?.array ?? [] {
        if let location = PlanarLocation.coding.value(location) { path.append(location) }
      }
      return path
    })
}
