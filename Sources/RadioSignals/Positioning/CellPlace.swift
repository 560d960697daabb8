import Core

/// Where the board is when a cell serves it: what a table says about the cell, or what fixes have
/// taught.
public struct CellPlace: Hashable, Sendable {
  /// The middle of where the cell serves.
  public var position: Coordinate
  /// As the table has it: how far from there it serves, more or less; learnt: the root mean square
  /// distance of the fixes.
  public var range: Metres
  /// How many samples or fixes it comes from.
  public var samples: Int

  public init(position: Coordinate, range: Metres, samples: Int) {
    self.position = position
    self.range = range
    self.samples = samples
  }

  /// Tables of several countries have cells with the range 0, or of one house; no cell outdoors is
  /// smaller, and none serves beyond 35 km, the reach of GSM's timing advance (TS 45.010, 5.6).
  static let smallestRange: Metres = 250
  static let largestRange: Metres = 35_000

  /// The radius that holds the board in 68 %, for a place of a table.
  ///
  /// The range of OpenCelliD and Ichnaea is the distance of the farthest sample. Over a disc that
  /// is served evenly, 68 % lie within 0.82 of the range; one of few samples has not seen the edge.
  public var tableAccuracy: Metres {
    let seen = min(max(range, Self.smallestRange), Self.largestRange)
    return seen * (0.82 * (1 + 1 / Double(max(1, samples))))
  }
}

/// What fixes have taught about one cell.
public struct LearntCell: Hashable, Sendable {
  public let pseudonym: Int64
  /// The mean of the fixes while it served.
  public var position: Coordinate
  /// Their root mean square distance from there.
  public var spread: Metres
  public var fixes: Int
  public var days: Int
  public var lastHeard: UTCInstant

  /// So many fixes make up a place; older ones fade.
  static let memory = 200
  /// A fix teaches again only so far from the cell's last one, or so long after: nights at home
  /// would outweigh everything else.
  static let pause: Seconds = .minutes(5)
  /// It places the board only when so many fixes on several days have taught it.
  static let fewestFixes = 4
  static let fewestDays = 2

  public init(
    pseudonym: Int64, position: Coordinate, spread: Metres, fixes: Int, days: Int,
    lastHeard: UTCInstant
  ) {
    self.pseudonym = pseudonym
    self.position = position
    self.spread = spread
    self.fixes = fixes
    self.days = days
    self.lastHeard = lastHeard
  }

  /// One that serves for the first time.
  public init(pseudonym: Int64, at fix: TrainingFix) {
    self.init(
      pseudonym: pseudonym, position: fix.position, spread: 0, fixes: 1, days: 1,
      lastHeard: fix.time)
  }

  /// Takes in that it served there.
  public mutating func hear(at fix: TrainingFix) {
    let distance = Sphere.distance(position, fix.position)
    // A number that is used again elsewhere, or a cell on wheels: it begins anew.
    guard distance <= CellPlace.largestRange * 2 else {
      self = LearntCell(pseudonym: pseudonym, at: fix)
      return
    }
    guard fix.time - lastHeard >= Self.pause else { return }
    let share = 1 / Double(min(fixes, Self.memory - 1) + 1)
    position = LocalPlane(origin: position).moved(towards: fix.position, by: share)
    let square =
      spread.value * spread.value * (1 - share)
      + distance.value * distance.value * share * (1 - share)
    spread = Metres(square.squareRoot())
    if !UTCInstant.isSameDay(fix.time, lastHeard) { days = min(days + 1, 100_000) }
    fixes = min(fixes + 1, 1_000_000)
    lastHeard = fix.time
  }

  /// Nil while it has been heard too seldom: what one day has taught is one way through it.
  public var place: CellPlace? {
    guard fixes >= Self.fewestFixes, days >= Self.fewestDays else { return nil }
    return CellPlace(position: position, range: spread, samples: fixes)
  }
}

extension LocalPlane {
  /// That share of the way from the origin to there.
  func moved(towards position: Coordinate, by share: Double) -> Coordinate {
    let there = point(position)
    return coordinate(Point(east: there.east * share, north: there.north * share))
  }
}
