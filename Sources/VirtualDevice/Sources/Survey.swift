import Core
import Records

/// The access points received during a life, and a receiver's position: for testing what is learnt
/// from access points, without a receiver's start and a tracker's decisions.
public struct Survey: Sequence, IteratorProtocol {
  /// One sample.
  public struct Sample: Sendable {
    public let time: UTCInstant
    public let truth: Coordinate
    public let reception: Reception
    public let speed: MetresPerSecond
    public let scan: AccessPointScan
    /// The receiver's position, with its error.
    public let fix: Coordinate
    /// The claimed radius that contains the truth in 68 %.
    public let accuracy: Metres
  }

  /// Between samples while moving, and at a stay.
  private static let pauseOnTheWay: Seconds = 60
  private static let pauseAtStays: Seconds = .minutes(20)
  /// The receiver's settling time before its fix counts.
  private static let epochs = 10

  private let truth: PlannedTruth
  private let wifi: WiFiSource
  private var error = PositionError(interval: 1)
  private var random: SeededRandom
  private var time: UTCInstant

  public init(
    of life: Life, from day: UTCInstant, days: Int, seed: UInt64,
    world: AccessPointWorld = AccessPointWorld()
  ) {
    truth = PlannedTruth(life.itinerary(seed: seed), from: day, days: days, seed: seed)
    wifi = WiFiSource(from: truth.start, seed: seed, world: world)
    random = SeededRandom(seed: seed, stream: 0x5375_7276)
    time = truth.start
  }

  public mutating func next() -> Sample? {
    guard let state = truth.state(at: time) else { return nil }
    defer { time = time + (isResting(state) ? Self.pauseAtStays : Self.pauseOnTheWay) }
    let moment = TruthSegment.Moment(state, at: time)
    guard case .accessPoints(let scan)? = wifi.answer(at: time, truth: moment) else { return nil }
    error.restart(after: .hot, under: state.reception, random: &random)
    for _ in 0..<Self.epochs { error.advance(under: state.reception, random: &random) }
    let fix = LocalPlane(origin: state.position).coordinate(
      .init(east: Metres(error.east), north: Metres(error.north)))
    return Sample(
      time: time, truth: state.position, reception: state.reception, speed: state.speed, scan: scan,
      fix: fix,
      // The radius that holds 68 % of a normal distribution in the plane: √(−2 ln 0.32).
      accuracy: Metres(error.claimed * 1.5096))
  }

  private func isResting(_ state: TrueState) -> Bool { truth.settled(at: time) != nil }
}
