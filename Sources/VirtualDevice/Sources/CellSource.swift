import Core
import Records

extension SourceKind {
  public static let cell = SourceKind(
    "cell", SourceEnergy(supply: 3.8, question: Amperes(milliamperes: 7), for: 1)
  ) { CellSource(random: $0.random(4)) }
}

/// The serving cell of a modem that is on anyway: towers every 800 m in a town and every 3 km
/// outside.
///
/// The board is in a town while most of its recent path was between buildings or below roofs: a
/// stay in a park does not change that. While moving, the nearest tower serves, with some
/// persistence; at rest the serving one changes twice an hour between the nearest three.
struct CellSource: SourceBehaviour {
  static let townSpacing: Metres = 800
  static let countrySpacing: Metres = 3000
  /// Per hour, at rest.
  static let changesAtRest = 2.0
  /// How often the tower is updated while moving.
  private static let updateInterval: Seconds = 5
  /// The weight of a second in an average over five minutes of movement.
  private static let townMemory = 1.0 / 300
  /// Another tower takes over when it is nearer by this factor.
  private static let persistence = 1.3

  private var random: SeededRandom
  private var serving: Tower?
  /// The share of the recent path that was not in the open.
  private var builtUp: Double?
  private var isTown = false
  private var nextUpdate: UTCInstant?

  private struct Tower: Hashable {
    var spacing: Int
    var row: Int64
    var column: Int64

    /// Its position within its grid square, in units of the square.
    var spot: (north: Double, east: Double) {
      var random = SeededRandom(
        seed: UInt64(bitPattern: row &* 0x1_0000_0001 ^ column), stream: UInt64(spacing))
      return (random.uniform(in: 0.2...0.8), random.uniform(in: 0.2...0.8))
    }

    /// In the format of modems: country and network (those of test networks, ITU-T E.212), area and
    /// cell.
    var name: String {
      var random = SeededRandom(
        seed: UInt64(bitPattern: row &* 0x1_0000_0001 ^ column), stream: ~UInt64(spacing))
      let bits = random.next()
      func hex(_ number: UInt64) -> String { String(number, radix: 16, uppercase: true) }
      return "001-01-\(hex(bits >> 48))-\(hex(bits & 0xFFF_FFFF))"
    }
  }

  init(random: SeededRandom) { self.random = random }

  mutating func follow(_ spell: TruthSegment) -> [SourceReport] {
    switch spell.kind {
    case .moving: moving(spell)
    case .resting: resting(spell)
    case .unknown: []
    }
  }

  private mutating func moving(_ spell: TruthSegment) -> [SourceReport] {
    var reports: [SourceReport] = []
    for moment in spell.moments {
      see(moment.reception)
      if let next = nextUpdate, moment.time < next { continue }
      nextUpdate = moment.time + Self.updateInterval
      let near = nearest(to: moment.position)
      guard let best = near.first, best.tower != serving else { continue }
      let present = near.first { $0.tower == serving }
      if let present, present.distance < best.distance * Self.persistence { continue }
      reports += serve(best.tower, at: moment.time)
    }
    return reports
  }

  private mutating func resting(_ spell: TruthSegment) -> [SourceReport] {
    guard let moment = spell.moments.first else { return [] }
    if builtUp == nil { see(moment.reception) }
    let near = nearest(to: moment.position)
    var reports: [SourceReport] = []
    if serving == nil, let best = near.first { reports += serve(best.tower, at: spell.begins) }
    var slot = spell.begins
    while slot < spell.ends {
      let length = min(10, spell.ends - slot)
      if random.chance(Self.changesAtRest * (length / .hours(1))) {
        let others = near.prefix(3).map(\.tower).filter { $0 != serving }
        let other = others[Int(random.uniform() * Double(others.count))]
        reports += serve(other, at: slot + length * random.uniform())
      }
      slot = slot + length
    }
    return reports
  }

  private mutating func serve(_ tower: Tower, at moment: UTCInstant) -> [SourceReport] {
    serving = tower
    return [SourceReport(.cell(tower.name), at: moment)]
  }

  private mutating func see(_ reception: Reception) {
    let seen = reception == .open ? 0.0 : 1.0
    let share = builtUp.map { $0 + (seen - $0) * Self.townMemory } ?? seen
    builtUp = share
    isTown = share > 0.5
  }

  /// The towers of the surrounding grid squares, the nearest first.
  private func nearest(to position: Coordinate) -> [(tower: Tower, distance: Double)] {
    let spacing = isTown ? Self.townSpacing : Self.countrySpacing
    let grid = Grid(step: spacing, at: position)
    var towers: [(tower: Tower, distance: Double)] = []
    for row in -1...1 {
      for column in -1...1 {
        let tower = Tower(
          spacing: Int(spacing.value), row: grid.row + Int64(row),
          column: grid.column + Int64(column))
        let spot = tower.spot
        let north = Double(row) + spot.north - grid.north
        let east = Double(column) + spot.east - grid.east
        towers.append((tower, (north * north + east * east).squareRoot()))
      }
    }
    return towers.sorted { $0.distance < $1.distance }
  }
}
