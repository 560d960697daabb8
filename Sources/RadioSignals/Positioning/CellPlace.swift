import Core

/// The position that a serving cell implies, from a table or learnt from fixes.
public struct CellPlace: Hashable, Sendable {
  /// The centre of the cell's coverage.
  public var position: Coordinate
  /// From a table: the approximate range of coverage; learnt: the root mean square distance of the
  /// fixes.
  public var range: Metres
  /// The number of samples or fixes.
  public var samples: Int

  public init(position: Coordinate, range: Metres, samples: Int) {
    self.position = position
    self.range = range
    self.samples = samples
  }

  /// The limits of plausible ranges. Tables of several countries have cells with the range 0, or
  /// that of one house; no outdoor cell is smaller. No cell serves beyond 35 km, the limit of GSM's
  /// timing advance (TS 45.010, 5.6).
  static let smallestRange: Metres = 250
  static let largestRange: Metres = 35_000

  /// The radius that contains the board with 68 %, for a position of a table.
  ///
  /// The range of OpenCelliD and Ichnaea is the distance of the farthest sample. In a uniformly
  /// covered disc, 68 % are within 0.82 of the range; with few samples the edge is not covered.
  var tableAccuracy: Metres {
    let seen = min(max(range, Self.smallestRange), Self.largestRange)
    return seen * (0.82 * (1 + 1 / Double(max(1, samples))))
  }
}

/// The knowledge about one cell from fixes.
public struct LearntCell: Hashable, Sendable {
  public let pseudonym: Int64
  /// The mean of the fixes while it was serving.
  public var position: Coordinate
  /// Their root mean square distance from there.
  public var spread: Metres
  public var fixes: Int
  public var days: Int
  public var lastReceived: UTCInstant

  /// The number of fixes that make up a position; older ones fade.
  static let memory = 200
  /// The minimum time since the cell's last fix for another one to count. Otherwise nights at home
  /// would outweigh everything else.
  static let pause: Seconds = .minutes(5)
  /// The minimum number of fixes and days before it is used for positioning.
  static let fewestFixes = 4
  static let fewestDays = 2

  public init(
    pseudonym: Int64, position: Coordinate, spread: Metres, fixes: Int, days: Int,
    lastReception: UTCInstant
  ) {
    self.pseudonym = pseudonym
    self.position = position
    self.spread = spread
    self.fixes = fixes
    self.days = days
    self.lastReceived = lastReception
  }

  /// A cell that serves for the first time.
  init(pseudonym: Int64, at fix: TrainingFix) {
    self.init(
      pseudonym: pseudonym, position: fix.position, spread: 0, fixes: 1, days: 1,
      lastReception: fix.time)
  }

  /// Learns from a fix while the cell is serving.
  mutating func observe(at fix: TrainingFix) {
    let distance = Sphere.distance(position, fix.position)
    // The number is reused elsewhere, or the cell is mobile: learning restarts.
    guard distance <= CellPlace.largestRange * 2 else {
      self = LearntCell(pseudonym: pseudonym, at: fix)
      return
    }
    guard fix.time - lastReceived >= Self.pause else { return }
    let share = 1 / Double(min(fixes, Self.memory - 1) + 1)
    position = LocalPlane(origin: position).moved(towards: fix.position, by: share)
    let square =
      spread.value * spread.value * (1 - share)
      + distance.value * distance.value * share * (1 - share)
    spread = Metres(square.squareRoot())
    if !UTCInstant.isSameDay(fix.time, lastReceived) { days = min(days + 1, 100_000) }
    fixes = min(fixes + 1, 1_000_000)
    lastReceived = fix.time
  }

  /// Nil with too few fixes: those of one day cover one route through the cell only.
  var place: CellPlace? {
    guard fixes >= Self.fewestFixes, days >= Self.fewestDays else { return nil }
    return CellPlace(position: position, range: spread, samples: fixes)
  }
}

extension LocalPlane {
  /// The point at that fraction of the way from the origin to the position.
  func moved(towards position: Coordinate, by share: Double) -> Coordinate {
    let there = point(position)
    return coordinate(Point(east: there.east * share, north: there.north * share))
  }
}
