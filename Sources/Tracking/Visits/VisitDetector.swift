import Geodesy
import Quantities
import Records

/// Finds visits in a stream of locations, online, in one pass, in bounded memory.
///
/// Two ideas are weighed against each other: the board rests here (`stay`), and it has gone
/// (`absence`). A stay becomes a visit after the minimum dwell within the rest radius; from then on
/// the wider leave radius holds, and only an absence that lasts ends it. The radii add to what the
/// location's own error explains, so that one setting serves GNSS at 1 Hz and Wi-Fi every 20
/// minutes.
///
/// Silence is no movement. Not seen for hours and then found in the same place, the board stayed.
/// Found elsewhere, it stayed for as long as the way there did not need, unless it was last seen at
/// the speed of a vehicle: then nothing is known. What was not watched shows in the bounds.
public struct VisitDetector: Sendable {
  typealias Moment = StayHypothesis.Moment
  /// Beyond this many metres from its origin the plane is laid anew.
  static let planeReach = 20_000.0

  public let settings: DwellSettings
  let limits: Limits
  var nextID: Int64
  var plane = LocalPlane(origin: Coordinate(latitude: 0, longitude: 0))
  var stay: StayHypothesis?
  var absence: Absence?
  var previous: Moment?
  /// Where the speed is measured from when the receiver tells none, and what came out.
  var reference: Moment?
  var impliedSpeed = Double.nan
  /// The last location at the speed of a vehicle.
  var vehicle: Moment?
  var path = RecentPath()
  /// The visit that has been announced for `stay`.
  var announced: Visit?
  /// The visit that ended last: it may prove to go on.
  var ended: Visit?

  public init(settings: DwellSettings, nextID: Int64) {
    self.settings = settings
    self.nextID = nextID
    limits = Limits(settings)
  }

  /// The settings as the hot path wants them.
  struct Limits: Hashable, Sendable {
    let dwell, absence, silence, merge, wait: Int64
    let rest, leave, growth, coarse, walking, vehicle, boarding: Double

    init(_ settings: DwellSettings) {
      dwell = settings.minDwell.nanosecondsClamped
      absence = settings.minAbsence.nanosecondsClamped
      silence = settings.silence.nanosecondsClamped
      merge = settings.mergeWindow.nanosecondsClamped
      wait = settings.maxTransportWait.nanosecondsClamped
      rest = settings.restRadius.value
      leave = settings.leaveRadius.value
      growth = settings.leaveGrowth
      coarse = settings.coarseError.value
      walking = settings.walkingSpeed.value
      vehicle = settings.vehicleSpeed.value
      boarding = settings.boardingRadius.value
    }
  }

  /// Takes the next location. One that is not later than the one before tells nothing new.
  public mutating func observe(_ location: Location) -> [VisitChange] {
    guard let previous else {
      begin(with: location)
      return []
    }
    let seen = moment(location)
    guard seen.time > previous.time, stay != nil else { return [] }
    notice(seen)
    var changes: [VisitChange] = []
    if rests(seen) {
      concludeFromRest(seen, into: &changes)
      self.previous = seen
      return changes
    }
    guard let here = stay else { return [] }
    let distance = here.distance(to: seen)
    // Where the place is known better than the location, the location adds nothing to it.
    if seen.sigma > limits.coarse, here.bestSigma <= limits.coarse,
      distance <= limits.leave + 2 * seen.sigma
    {
      return []
    }
    if absence != nil, seen.time - previous.time > limits.silence,
      distance > reach(of: here) + allowance(for: seen, at: here)
    {
      // The place before the silence is where it was last seen, however briefly.
      settleAbsence(into: &changes)
    }
    weigh(seen, into: &changes)
    self.previous = seen
    if max(seen.x.magnitude, seen.y.magnitude) > Self.planeReach { recentre() }
    return changes
  }

  private mutating func begin(with location: Location) {
    plane = LocalPlane(origin: location.place)
    let seen = moment(location)
    notice(seen)
    stay = StayHypothesis(seen, before: nil, vehicle: vehicle)
    previous = seen
  }

  /// The date was wrong, before or now: no stay can be made of both.
  mutating func beginAnew(with location: Location) -> [VisitChange] {
    let changes = endStay()
    var fresh = VisitDetector(settings: settings, nextID: nextID)
    fresh.begin(with: location)
    self = fresh
    return changes
  }

  /// Nobody knows how the stay went on. What was a visit ends when it was last seen.
  mutating func endStay() -> [VisitChange] {
    var changes: [VisitChange] = []
    if let here = stay, here.isVisit {
      let gone = Absence(elsewhere: here, first: here.last, distance: 0)
      close(departure: here.core, gone, into: &changes)
    }
    withdraw(into: &changes)
    return changes
  }

  private mutating func moment(_ location: Location) -> Moment {
    let point = plane.point(location.place)
    var moment = Moment(
      time: location.time.nanoseconds, x: point.east.value, y: point.north.value,
      sigma: max(5, location.accuracy.value))
    if let speed = location.speed { moment.speed = speed.value } else { implySpeed(&moment) }
    return moment
  }

  /// The speed over the last ten seconds or more: one second of 1 Hz data is mostly noise.
  private mutating func implySpeed(_ moment: inout Moment) {
    guard let from = reference else {
      reference = moment
      return
    }
    let nanoseconds = moment.time - from.time
    if nanoseconds >= 10_000_000_000 {
      impliedSpeed = .nan
      if nanoseconds <= 60_000_000_000 {
        let dx = moment.x - from.x
        let dy = moment.y - from.y
        impliedSpeed = (dx * dx + dy * dy).squareRoot() / (Double(nanoseconds) / 1e9)
      }
      reference = moment
    }
    moment.speed = impliedSpeed
  }

  private mutating func notice(_ seen: Moment) {
    if seen.speed >= limits.vehicle { vehicle = seen }
    path.append(seen)
  }

  /// How far from the centre the board may be seen without having left.
  private func reach(of here: StayHypothesis) -> Double {
    guard here.isVisit else {
      // A shop, a flat: who has rested for a while may wander about it.
      let share = min(1, Double(here.last - here.first) / Double(limits.dwell))
      return limits.rest * (1 + share)
    }
    // The binary logarithm, linear between the powers of two (never off by more than 0.09).
    let hours = 1 + Double(here.last - here.first) / 3.6e12
    return limits.leave * (1 + limits.growth * (Double(hours.exponent) + hours.significand - 1))
  }

  /// What the location's own error excuses. A place that is known from coarse locations only may be
  /// as wide as they are.
  private func allowance(for seen: Moment, at here: StayHypothesis) -> Double {
    min(seen.sigma, max(limits.coarse, here.bestSigma))
  }

  /// Counts the location for the stay or against it.
  private mutating func weigh(_ seen: Moment, into changes: inout [VisitChange]) {
    guard var here = stay else { return }
    let sigma = allowance(for: seen, at: here)
    let squared = here.squaredDistance(to: seen)
    let silent = absence == nil && seen.time - here.last > limits.dwell
    let radius = (silent ? max(reach(of: here), limits.leave) : reach(of: here)) + sigma
    guard squared <= radius * radius else {
      depart(seen, distance: squared.squareRoot(), into: &changes)
      return
    }
    absence = nil
    noticeRide(seen, &here, squared: squared)
    if silent, !here.isVisit, here.lastSpeed > limits.vehicle {
      // It passed here in a vehicle and does so again: chance, not a stay.
      stay = StayHypothesis(seen, before: previous, vehicle: vehicle)
      return
    }
    let core = limits.rest + sigma
    if silent || squared <= core * core {
      here.seenInCore(seen)
    }
    here.add(seen)
    stay = here
    concludeFromRest(seen, into: &changes)
  }

  /// By far the commonest location, dealt with in place: seen again close to where it rests.
  private mutating func rests(_ seen: Moment) -> Bool {
    let radius = limits.rest + seen.sigma
    guard absence == nil, seen.sigma <= limits.coarse,
      stay!.squaredDistance(to: seen) <= radius * radius, seen.time - stay!.last <= limits.dwell
    else { return false }
    stay!.seenInCore(seen)
    stay!.add(seen)
    return true
  }

  /// The board was seen at its place once more: is that a visit, and is it time to tell?
  private mutating func concludeFromRest(_ seen: Moment, into changes: inout [VisitChange]) {
    if !stay!.isVisit {
      guard stay!.last - stay!.first >= limits.dwell, let here = stay,
        here.last - here.first >= shortestProof(of: here, seen.sigma)
      else { return }
      confirm()
    }
    if announced == nil {
      announceIfLong(into: &changes)
    } else if stay!.locations >= 2 * announced!.locations {
      update(into: &changes)
    }
  }

  /// Seen at the speed of a vehicle on the edge of the place, soon after its centre: rides off.
  private func noticeRide(_ seen: Moment, _ here: inout StayHypothesis, squared: Double) {
    guard seen.speed >= limits.vehicle, seen.time - here.core <= limits.silence else { return }
    let inner = limits.rest + allowance(for: seen, at: here)
    let outer = limits.boarding + here.bestSigma
    if squared > inner * inner, squared <= outer * outer { here.rodeOff = true }
  }

  /// How long it takes to tell resting from creeping: a board slower than a third of a metre per
  /// second would not have left what the errors allow before.
  private func shortestProof(of here: StayHypothesis, _ sigma: Double) -> Int64 {
    let seconds = (limits.rest + min(here.firstSigma, sigma)) / 0.3
    return max(limits.dwell, Seconds(seconds).nanosecondsClamped)
  }

  /// The location lies outside: has the board left?
  private mutating func depart(
    _ seen: Moment, distance: Double, into changes: inout [VisitChange]
  ) {
    guard var here = stay else { return }
    noticeRide(seen, &here, squared: distance * distance)
    stay = here
    var gone =
      absence
      ?? Absence(
        elsewhere: StayHypothesis(seen, before: previous, vehicle: vehicle), first: seen.time,
        distance: distance, locations: 0)
    gone.locations += 1
    if gone.locations > 1 {
      let radius = limits.rest + allowance(for: seen, at: gone.elsewhere)
      if gone.elsewhere.squaredDistance(to: seen) <= radius * radius {
        gone.elsewhere.add(seen)
      } else {
        gone.elsewhere = StayHypothesis(seen, before: previous, vehicle: vehicle)
      }
    }
    absence = gone
    guard gone.locations >= 2 else { return }
    let isStay = here.isVisit || departure(from: here, gone) - here.first >= limits.dwell
    if isStay, seen.time - gone.first < limits.absence { return }
    settleAbsence(into: &changes)
  }

  /// The board has gone: closes the stay and makes the newest place the next one.
  mutating func settleAbsence(into changes: inout [VisitChange]) {
    guard let here = stay, let gone = absence else { return }
    let departure = departure(from: here, gone)
    if here.isVisit || departure - here.first >= limits.dwell {
      if !here.isVisit { confirm() }
      close(departure: departure, gone, into: &changes)
    }
    withdraw(into: &changes)
    stay = gone.elsewhere
    absence = nil
    guard gone.elsewhere.last - gone.elsewhere.first >= limits.dwell else { return }
    confirm()
    announceIfLong(into: &changes)
  }

  /// When it left: the last location near the centre if it was watched leaving, else as late as the
  /// way to where it was seen next allows.
  private func departure(from here: StayHypothesis, _ gone: Absence) -> Int64 {
    guard gone.first - here.last > limits.silence, !(here.lastSpeed > limits.vehicle) else {
      return here.core
    }
    // One location and then something far away: it may have been anywhere.
    if !here.isVisit, here.locations < 2, gone.distance > 1000 { return here.core }
    return max(here.core, gone.first - travelTime(over: gone.distance - limits.rest))
  }

  /// How long the way takes: on foot at first, faster the farther it goes (as the square root:
  /// 1.4 m/s up to 500 m, 6 m/s over 10 km, 20 m/s over 100 km from door to door).
  func travelTime(over distance: Double) -> Int64 {
    guard distance > 0 else { return 0 }
    let speed = limits.walking * max(1, distance / 500).squareRoot()
    return Seconds(distance / speed).nanosecondsClamped
  }

  /// Goes on in a store whose ids are not this run's.
  mutating func renumber(by shift: Renumbering) {
    nextID += shift.visits
    announced = announced.map { shift($0) }
    ended = ended.map { shift($0) }
  }
}
