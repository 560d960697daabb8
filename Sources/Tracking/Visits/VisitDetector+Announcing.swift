import Geodesy
import Quantities
import Records

extension VisitDetector {
  /// The visit that goes on, as far as it is known now.
  public var open: Visit? {
    guard let announced, let stay else { return nil }
    return visit(announced.id, of: stay, departure: nil)
  }

  /// End of the data, or of the daemon. A visit that goes on stays open. A board that was last
  /// seen at rest, if not yet for the minimum dwell, is announced with the low confidence it
  /// deserves; it is withdrawn should more data show that it went on.
  public mutating func finish() -> [VisitChange] {
    var changes: [VisitChange] = []
    if let absence, absence.locations > 1 { settleAbsence(into: &changes) }
    if let now = open {
      announced = now
      changes.append(.updated(now))
    } else if isResting() {
      announce(into: &changes)
    }
    return changes
  }

  /// Whether it was near the centre for a minute until it was last seen: a slow walker passes
  /// faster.
  private mutating func isResting() -> Bool {
    if stay?.isVisit == false { refineArrival() }
    guard let here = stay, let newest = path.newest else { return false }
    let radius = limits.rest / 2 + min(newest.sigma, limits.coarse)
    return here.last - here.arrival >= limits.silence / 2
      && here.squaredDistance(to: newest) <= radius * radius
  }

  /// The stay is a visit: when did it begin?
  mutating func confirm() {
    stay?.isVisit = true
    refineArrival()
  }

  /// The first location near the settled centre, or, coming out of silence at speed, the end of the
  /// way to here.
  private mutating func refineArrival() {
    guard var here = stay else { return }
    let core = limits.rest / 2
    for seen in path.moments where seen.time >= here.first {
      let radius = core + min(seen.sigma, max(limits.coarse, here.bestSigma))
      if here.squaredDistance(to: seen) <= radius * radius {
        here.arrival = seen.time
        break
      }
      here.arrivalEarliest = seen.time
    }
    if here.arrival == here.first, let before = here.before,
      here.first - before.time > limits.silence, before.speed > limits.vehicle
    {
      let travel = travelTime(over: here.distance(to: before) - limits.rest)
      here.arrival = min(here.first, before.time + travel)
    }
    stay = here
  }

  /// A stay has lasted when it took longer than the minimum dwell and the way in and out of the
  /// radius within which it is seen: a slow passer-by takes that long too.
  private func shortestVisit(of here: StayHypothesis) -> Int64 {
    let crossing = 2 * (limits.rest + here.bestSigma) / limits.walking
    return limits.dwell + Seconds(crossing).nanosecondsClamped
  }

  mutating func announceIfLong(into changes: inout [VisitChange]) {
    guard let here = stay, here.isVisit, here.last - here.arrival >= shortestVisit(of: here)
    else { return }
    announce(into: &changes)
  }

  /// Tells how an open visit goes on, each time that twice as much is known of it: a night at 1 Hz
  /// makes seven updates.
  mutating func update(into changes: inout [VisitChange]) {
    guard let announced, let here = stay else { return }
    let now = visit(announced.id, of: here, departure: nil)
    self.announced = now
    changes.append(.updated(now))
  }

  mutating func announce(into changes: inout [VisitChange]) {
    guard let here = stay, announced == nil else { return }
    if let last = ended, let departure = last.departure,
      here.arrival - departure.estimate.nanoseconds <= limits.merge, isSamePlace(here, last.place)
    {
      // The same visit goes on.
      stay?.first = min(here.first, last.arrival.estimate.nanoseconds)
      stay?.arrival = last.arrival.estimate.nanoseconds
      stay?.arrivalEarliest = last.arrival.earliest.nanoseconds
      let again = stay.map { visit(last.id, of: $0, departure: nil) }
      announced = again
      ended = nil
      if let again { changes.append(.updated(again)) }
      return
    }
    let new = visit(nextID, of: here, departure: nil)
    nextID += 1
    announced = new
    changes.append(.began(new))
  }

  private func isSamePlace(_ here: StayHypothesis, _ place: Coordinate) -> Bool {
    let point = plane.point(place)
    let dx = point.east.value - here.x
    let dy = point.north.value - here.y
    let radius = limits.rest + here.bestSigma
    return dx * dx + dy * dy <= radius * radius
  }

  /// The visit has ended, if it was one.
  mutating func close(departure: Int64, _ gone: Absence, into changes: inout [VisitChange]) {
    guard let here = stay, departure - here.arrival >= shortestVisit(of: here),
      !isWait(here, departure: departure)
    else { return }
    announce(into: &changes)
    guard let id = announced?.id, let here = stay else { return }
    // Nobody leaves before having come: a place that was seen once may have a wide blur.
    let seen = max(here.core - blur(over: here.coreReach), here.arrivalEarliest)
    let left = TimeEstimate(
      estimate: UTCInstant(nanoseconds: departure),
      earliest: UTCInstant(nanoseconds: min(seen, departure)),
      latest: UTCInstant(nanoseconds: max(gone.first, departure)))
    let visit = visit(id, of: here, departure: left)
    ended = visit
    announced = nil
    changes.append(.ended(visit))
  }

  /// A visit that was announced and has not been closed was none.
  mutating func withdraw(into changes: inout [VisitChange]) {
    guard let visit = announced else { return }
    announced = nil
    changes.append(.withdrawn(id: visit.id))
  }

  /// Came on foot and rode off from the very place: a bus stop, a platform. Who came by vehicle and
  /// leaves by vehicle has parked, and that is a visit.
  private func isWait(_ here: StayHypothesis, departure: Int64) -> Bool {
    guard here.rodeOff, departure - here.arrival < limits.wait else { return false }
    guard let vehicle = here.vehicleBefore else { return true }
    return here.arrival - vehicle.time >= 20_000_000_000
  }

  /// A location near the centre proves presence no better than its distance and its error: so long
  /// may the board have been on its way already, or still. Streets bend and people dawdle: half
  /// the walking pace as the crow flies.
  private func blur(over reach: Double) -> Int64 {
    Int64((limits.rest + min(reach, 2 * limits.coarse)) * 2 / limits.walking * 1e9)
  }

  func visit(_ id: Int64, of here: StayHypothesis, departure: TimeEstimate?) -> Visit {
    let arrival = TimeEstimate(
      estimate: UTCInstant(nanoseconds: here.arrival),
      earliest: UTCInstant(nanoseconds: min(here.arrivalEarliest, here.arrival)),
      latest: UTCInstant(
        nanoseconds: max(min(here.first + blur(over: here.firstSigma), here.last), here.arrival)))
    let end = departure?.estimate.nanoseconds ?? here.last
    return Visit(
      id: id, arrival: arrival, departure: departure,
      place: plane.coordinate(LocalPlane.Point(east: Metres(here.x), north: Metres(here.y))),
      accuracy: Metres(here.standardError),
      confidence: confidence(seconds: Double(end - here.arrival) / 1e9, locations: here.locations),
      locations: here.locations)
  }

  /// Longer is surer, and so is oftener: half at the minimum dwell with many locations.
  private func confidence(seconds: Double, locations: Int) -> Double {
    let length = max(0, seconds) / (max(0, seconds) + settings.minDwell.value)
    return length * (1 - 1 / Double(locations + 1))
  }

  /// Keeps the plane's origin near, where it is accurate: everything remembered moves with it.
  mutating func recentre() {
    guard let here = stay, max(here.x.magnitude, here.y.magnitude) > Self.planeReach else { return }
    let old = plane
    let origin = old.coordinate(LocalPlane.Point(east: Metres(here.x), north: Metres(here.y)))
    let new = LocalPlane(origin: origin)
    func move(_ x: inout Double, _ y: inout Double) {
      let place = old.coordinate(LocalPlane.Point(east: Metres(x), north: Metres(y)))
      let point = new.point(place)
      x = point.east.value
      y = point.north.value
    }
    func move(_ moment: inout Moment) { move(&moment.x, &moment.y) }
    func move(_ moment: inout Moment?) {
      guard var moved = moment else { return }
      move(&moved)
      moment = moved
    }
    plane = new
    if var here = stay {
      move(&here.x, &here.y)
      move(&here.before)
      move(&here.vehicleBefore)
      stay = here
    }
    if var gone = absence {
      move(&gone.elsewhere.x, &gone.elsewhere.y)
      move(&gone.elsewhere.before)
      move(&gone.elsewhere.vehicleBefore)
      absence = gone
    }
    move(&previous)
    move(&reference)
    move(&vehicle)
    path.move { move(&$0) }
  }
}
