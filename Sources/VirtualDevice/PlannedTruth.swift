import Core

/// The ground truth of a resident who follows an itinerary, day after day, at slightly different
/// times.
public final class PlannedTruth: GroundTruth {
  public let start: UTCInstant
  public var end: UTCInstant? { lastMoment }
  public private(set) var hasEnded = false
  /// Every stay that has begun so far, with the truth about when it ends.
  public private(set) var stays: [PlannedStay] = []

  /// The same, limited to the end of the truth.
  public var completedStays: [PlannedStay] {
    stays.filter { $0.arrival < lastMoment }.map { stay in
      var stay = stay
      stay.departure = min(stay.departure, lastMoment)
      return stay
    }
  }

  private let lastMoment: UTCInstant
  private let plan: any Itinerary
  private let seed: UInt64
  private var random: SeededRandom
  private var place: PlannedPlace
  private var stage: Stage
  /// The begin of `stage`; read at every step of the clock.
  private var stageBegins: UTCInstant
  private var stageEnds: UTCInstant
  private var previous: Stage?
  private var dayNumber: Int
  private var tripsToday: ArraySlice<PlannedTrip>

  private indirect enum Stage {
    case stay(PlannedStay, next: PlannedTrip?)
    case journey(Journey)

    var begins: UTCInstant {
      switch self {
      case .stay(let stay, _): stay.arrival
      case .journey(let journey): journey.departure
      }
    }

    var ends: UTCInstant {
      switch self {
      case .stay(let stay, _): stay.departure
      case .journey(let journey): journey.arrival
      }
    }
  }

  /// - Parameter day: any moment of the first day; the plan starts at its midnight UTC.
  public init(_ plan: any Itinerary, from day: UTCInstant, days: Int, seed: UInt64) {
    let civil = CivilTime(day)
    dayNumber = CivilTime.daysSinceEpoch(year: civil.year, month: civil.month, day: civil.day)
    start = UTCInstant(nanoseconds: Int64(dayNumber) * 86_400_000_000_000)
    lastMoment = start + .days(Double(days))
    self.plan = plan
    self.seed = seed
    random = SeededRandom(seed: seed, stream: 4)
    place = plan.home
    tripsToday = plan.trips(dayNumber: dayNumber)[...]
    stage = .stay(PlannedStay(place: place, arrival: start, departure: start), next: nil)
    stageBegins = start
    stageEnds = start
    enter(stay(from: start))
  }

  public func state(at time: UTCInstant) -> TrueState? {
    guard let stage = stage(at: time) else { return nil }
    switch stage {
    case .stay(let stay, _): return resting(at: stay.place, time)
    case .journey(let journey): return journey.state(at: time)
    }
  }

  /// At a mooring or an anchor the board moves along a closed curve, one round in 15 minutes.
  private func resting(at spot: PlannedPlace, _ time: UTCInstant) -> TrueState {
    guard spot.swing > 0 else {
      return TrueState(position: spot.position, altitude: 3, reception: spot.reception)
    }
    let turn = Double(time.nanoseconds % Self.swingPeriod) / Double(Self.swingPeriod)
    // A parabola for each half of the sine: no libm, whose last digit differs.
    func wave(_ turn: Double) -> Double {
      let x = turn - turn.rounded(.down)
      return x < 0.5 ? 16 * x * (0.5 - x) : -16 * (x - 0.5) * (1 - x)
    }
    let position = LocalPlane(origin: spot.position).coordinate(
      .init(east: spot.swing * wave(turn), north: spot.swing * wave(turn * 2) * 0.5))
    let speed = MetresPerSecond(spot.swing.value * 6 / (Double(Self.swingPeriod) / 1e9))
    return TrueState(
      position: position, altitude: 0, speed: speed, track: Degrees(turn * 360),
      reception: spot.reception
    )
  }

  private static let swingPeriod: Int64 = 900_000_000_000

  public func another() -> any GroundTruth {
    PlannedTruth(plan, from: start, days: Int((lastMoment - start) / .days(1)), seed: seed)
  }

  public func settled(at time: UTCInstant) -> UTCInstant? {
    guard case .stay(let stay, _) = stage(at: time) else { return nil }
    return min(stay.departure, lastMoment)
  }

  public func accessPoint(at time: UTCInstant) -> AccessPoint? {
    guard case .stay(let stay, _) = stage(at: time), let name = stay.place.network else {
      return nil
    }
    return AccessPoint(name: name, position: stay.place.position)
  }

  private func stage(at time: UTCInstant) -> Stage? {
    guard time < lastMoment else {
      hasEnded = true
      return nil
    }
    while time >= stageEnds {
      previous = stage
      enter(following(stage))
    }
    // The requested moment may be slightly earlier than the last one.
    return time < stageBegins ? previous ?? stage : stage
  }

  private func enter(_ next: Stage) {
    stage = next
    stageBegins = next.begins
    stageEnds = next.ends
  }

  private func following(_ stage: Stage) -> Stage {
    switch stage {
    case .stay(let stay, let trip):
      guard let trip else { return self.stay(from: stay.departure) }
      place = trip.destination
      return .journey(
        Journey(
          from: stay.place.position, to: trip.destination.position, by: trip.mode,
          at: stay.departure,
          random: &random))
    case .journey(let journey): return stay(from: journey.arrival)
    }
  }

  /// The stay that begins now, until the next trip of the plan.
  private func stay(from arrival: UTCInstant) -> Stage {
    var trip = tripsToday.popFirst()
    var searched = 0
    // Without trips in the plan the resident stays at home for ever, a week at a time.
    while trip == nil, searched < 7 {
      dayNumber += 1
      searched += 1
      tripsToday = plan.trips(dayNumber: dayNumber)[...]
      trip = tripsToday.popFirst()
    }
    let stay = PlannedStay(
      place: place, arrival: arrival, departure: departure(of: trip, after: arrival))
    stays.append(stay)
    return .stay(stay, next: trip)
  }

  private func departure(of trip: PlannedTrip?, after arrival: UTCInstant) -> UTCInstant {
    switch trip?.departure {
    case nil: return arrival + .days(7)
    case .afterStaying(let time, let scatter):
      return arrival + max(5, time + scatter * random.gaussian())
    case .at(let time, let scatter):
      let midnight = UTCInstant(nanoseconds: Int64(dayNumber) * 86_400_000_000_000)
      // A late arrival shortens the stay, but to no less than a minute.
      return max(midnight + time + scatter * random.gaussian(), arrival + 60)
    }
  }
}
