import Core
import Records

extension SourceKind {
  public static let motion = SourceKind(
    "motion", SourceEnergy(current: Amperes(4e-6), supply: 3.3)
  ) { MotionSource(random: $0.random(1)) }
}

/// An accelerometer or a vibration switch on an interrupt line. Its edges begin 1 to 5 s after the
/// start of a movement, unless it misses the first minute of it; at rest there are occasional false
/// edges, at a mooring or in wind every few minutes.
struct MotionSource: SourceBehaviour {
  /// The dead time after an edge, as in the adapter for a real line.
  static let mask: Seconds = 10
  static let missedBeginnings = 0.02
  /// How much of a missed beginning is missed.
  static let missedFor: Seconds = 60
  /// Per hour.
  static let falseEdgesAtRest = 0.3
  static let falseEdgesAfloat = 20.0

  private var random: SeededRandom
  private var lastEdge: UTCInstant?
  /// The next edge of the present movement.
  private var nextEdge: UTCInstant?

  init(random: SeededRandom) { self.random = random }

  mutating func follow(_ spell: TruthSegment) -> [SourceReport] {
    switch spell.kind {
    case .moving: moving(spell)
    case .resting: resting(spell)
    case .unknown: []
    }
  }

  private mutating func moving(_ spell: TruthSegment) -> [SourceReport] {
    if !spell.isContinued || nextEdge == nil {
      let missed: Seconds = random.chance(Self.missedBeginnings) ? Self.missedFor : 0
      nextEdge = spell.begins + missed + Seconds(random.uniform(in: 1...5))
    }
    var edges: [SourceReport] = []
    while let edge = nextEdge, edge < spell.ends {
      edges += report(at: edge)
      nextEdge = edge + Self.mask + Seconds(random.uniform(in: 0...2))
    }
    return edges
  }

  private mutating func resting(_ spell: TruthSegment) -> [SourceReport] {
    nextEdge = nil
    let rate = spell.isAfloat ? Self.falseEdgesAfloat : Self.falseEdgesAtRest
    var edges: [SourceReport] = []
    // Slots of ten seconds: no logarithm, whose last digit differs between processors.
    var slot = spell.begins
    while slot < spell.ends {
      let length = min(10, spell.ends - slot)
      if random.chance(rate * (length / .hours(1))) {
        edges += report(at: slot + length * random.uniform())
      }
      slot = slot + length
    }
    return edges
  }

  private mutating func report(at moment: UTCInstant) -> [SourceReport] {
    if let lastEdge, moment - lastEdge < Self.mask { return [] }
    lastEdge = moment
    return [SourceReport(.motion, at: moment)]
  }
}
