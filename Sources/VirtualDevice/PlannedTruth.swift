import Quantities

/// The ground truth of a resident who follows a `DayPlan`, day after day, at slightly different
/// times.
public final class PlannedTruth: GroundTruth {
  public let start: UTCInstant
  public var end: UTCInstant? { lastMoment }
  public private(set) var hasEnded = false
  /// Every stay that has begun so far, with the truth about when it ends.
  public private(set) var stays: [PlannedStay] = []

  private let lastMoment: UTCInstant
  private let plan: DayPlan
  private var random: SeededRandom
  private var place: PlannedPlace
  private var stage: Stage
  /// When `stage` began; read at every step of the clock.
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
  public init(_ plan: DayPlan, from day: UTCInstant, days: Int, seed: UInt64) {
    let civil = CivilTime(day)
    dayNumber = CivilTime.daysSinceEpoch(year: civil.year, month: civil.month, day: civil.day)
    start = UTCInstant(nanoseconds: Int64(dayNumber) * 86_400_000_000_000)
    lastMoment = start + .days(Double(days))
    self.plan = plan
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
    case .stay(let stay, _):
      return TrueState(position: stay.place.position, altitude: 3, sky: stay.place.sky)
    case .journey(let journey): return journey.state(at: time)
    }
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
    // The requested moment may be a little before the last one.
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
    // Under a plan without any trip the resident stays at home for ever, a week at a time.
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
