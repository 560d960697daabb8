import Core
import GNSS
import Records

/// What is made of locations.
public struct LocationSettings: Hashable, SettingGroup {
  public var gate = GateSettings()
  public var dwell = DwellSettings()
  public var trajectory = TrajectorySettings()
  public var destinationReach: Metres = 100

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    gate.declare(setting)
    setting.section("dwell", counts: .atReload, "What counts as a stay.")
    dwell.declare(setting)
    setting(
      "destination_reach_m", &destinationReach, .quantity(1...10_000),
      "Visits whose centres lie farther apart than this are different destinations.")
    setting.ascending("rest_radius_m", "leave_radius_m")
    trajectory.declare(setting)
  }
}

/// What one fix led to.
public enum FixOutcome: Hashable, Sendable {
  case rejected(RejectionReason)
  case accepted(Location, LocationOutcome)
}

/// What a location led to, or the end of all.
public struct LocationOutcome: Hashable, Sendable {
  public var visits: [VisitChange] = []
  /// New or changed.
  public var destinations: [Destination] = []
  /// Those whose only visit was none.
  public var withdrawnDestinations: [Int64] = []
  /// Whether the date has changed: what is stored of the way begins anew with the location.
  public var isOfOtherDate = false
  /// Where the board was when it was felt to come to rest or to leave.
  public var rests: [Location] = []

  public init() {}
}

/// What is made of locations: gate, visits, destinations. Live, replayed and simulated fixes go
/// through here alike.
public struct LocationPipeline: Sendable {
  public let settings: LocationSettings
  private var gate: FixGate
  private var detector: VisitDetector
  private var book: DestinationList
  private var hours = DepartureHistogram()
  /// The last location that GNSS gave.
  public private(set) var lastGnss: Location?
  /// Accepted in a row from before what was seen last, see `isOfOtherDate`.
  private var earlierFixes = 0

  public init(
    _ settings: LocationSettings, nextVisitID: Int64 = 1, lastDestinationID: Int64 = 0,
    destinations: [Destination] = []
  ) {
    self.settings = settings
    gate = FixGate(settings.gate)
    detector = VisitDetector(settings: settings.dwell, nextID: nextVisitID)
    book = DestinationList(
      destinations, lastID: lastDestinationID, reach: settings.destinationReach)
  }

  public var openVisit: Visit? { detector.open.map(placed) }
  var openVisitID: Int64? { detector.openID }
  public var nextVisitID: Int64 { detector.nextID }
  /// The highest id in use.
  public var lastDestinationID: Int64 { book.lastID }
  public var destinations: [Destination] { book.destinations }

  /// What habits make of a pause between two looks at the place of the open visit, as a factor.
  func usualStretch(at time: UTCInstant) -> Double {
    openVisit?.destination.map { hours.stretch(at: $0, time) } ?? 1
  }

  public mutating func poweredOn(at instant: BootInstant) { gate.poweredOn(at: instant) }

  public mutating func take(_ fix: Fix) -> FixOutcome { take(fix, after: nil) }

  /// - Parameters:
  ///   - rest: what the fix tells the place of; nil: nothing.
  ///   - refutesRest: whether the board cannot have rested until then if it is there now.
  mutating func take(
    _ fix: Fix, after rest: UnlocatedRest?, refutesRest: (Location) -> Bool = { _ in false }
  ) -> FixOutcome {
    switch gate.judge(fix) {
    case .rejected(let reason): return .rejected(reason)
    case .accepted(let location, let dateShift):
      var outcome = LocationOutcome()
      lastGnss = location
      countIfEarlier(location.time)
      if isOfOtherDate(dateShift) { beginAnew(&outcome, with: location) }
      if refutesRest(location) {
        record(detector.observe(refutingRest: location), in: &outcome)
      } else {
        if let rest { locate(rest, by: location, received: fix.received, in: &outcome) }
        record(detector.observe(location), in: &outcome)
      }
      return .accepted(location, outcome)
    }
  }

  private mutating func countIfEarlier(_ time: UTCInstant) {
    let isEarlier = detector.latestTime.map { $0 - time > settings.dwell.minDwell } ?? false
    earlierFixes = isEarlier ? earlierFixes + 1 : 0
  }

  /// The board has rested near here already before it was located.
  private mutating func locate(
    _ rest: UnlocatedRest, by location: Location, received: BootInstant,
    in outcome: inout LocationOutcome
  ) {
    var first = location
    first.time = location.time - (received - rest.since)
    guard first.time >= FixGate.firstTime else { return }
    first.speed = 0
    first.accuracy = max(location.accuracy, rest.radius)
    record(detector.observe(first), in: &outcome)
    detector.lackedLocation(from: first.time, to: location.time)
    guard let until = rest.until else { return }
    let end = location.time - (received - until)
    record(detector.rested(until: end, within: 0), in: &outcome)
  }

  /// Whether the date has changed, or fixes that the gate trusts keep coming from before what an
  /// earlier run saw. A receiver that mends its clock by less than it takes to stay is waited for.
  private func isOfOtherDate(_ dateShift: Seconds?) -> Bool {
    if let dateShift, dateShift.magnitude > settings.dwell.minDwell { return true }
    return earlierFixes >= settings.gate.fixesToRecover
  }

  /// No line and no stay leads from one date to the other.
  private mutating func beginAnew(_ outcome: inout LocationOutcome, with location: Location) {
    earlierFixes = 0
    outcome.isOfOtherDate = true
    record(detector.beginAnew(with: location), in: &outcome)
  }

  /// A coarse location that was found credible.
  /// - Parameter isAtRest: whether other evidence says that the board is where it was.
  public mutating func take(coarse location: Location, isAtRest: Bool) -> LocationOutcome {
    var outcome = LocationOutcome()
    record(detector.observe(location, isAtRest: isAtRest), in: &outcome)
    return outcome
  }

  /// What other evidence than locations has found out about a stay, as far as the date is known.
  mutating func take(_ news: MotionEvent, _ clock: UTCClock) -> LocationOutcome {
    var outcome = LocationOutcome()
    switch news {
    case .arrived(let instant, let radius, let latest):
      guard let date = clock.utc(at: instant) else { return outcome }
      record(
        detector.arrived(at: date, within: radius, by: date + max(latest - instant, 0)),
        in: &outcome)
    case .rested(let instant, let isWatched):
      guard let date = clock.utc(at: instant) else { return outcome }
      let changes = detector.rested(until: date, within: 0, isWatched: isWatched)
      record(changes, in: &outcome)
    case .placed(var location, let instant):
      guard let date = clock.utc(at: instant), date >= FixGate.firstTime else { return outcome }
      location.time = date
      location.speed = 0
      location.track = nil
      outcome.rests.append(location)
    }
    return outcome
  }

  /// End of the data or of the daemon. The open visit stays open.
  public mutating func finish() -> LocationOutcome {
    var outcome = LocationOutcome()
    record(detector.finish(), in: &outcome)
    return outcome
  }

  private mutating func record(
    _ changes: [VisitChange], in outcome: inout LocationOutcome
  ) {
    for change in changes {
      switch change {
      case .began(let visit): outcome.visits.append(.began(count(visit, in: &outcome)))
      case .updated(let visit): outcome.visits.append(.updated(count(visit, in: &outcome)))
      case .withdrawn(let id):
        outcome.visits.append(change)
        if let withdrawal = book.withdraw(id) { outcome.take(withdrawal) }
      case .ended(let visit):
        let visit = count(visit, in: &outcome)
        if let destination = visit.destination { hours.ended(visit, at: destination) }
        outcome.visits.append(.ended(visit))
      }
    }
  }

  /// The visit with its destination, which counts it from when it is first told of: who is at home
  /// wants to name it.
  private mutating func count(_ visit: Visit, in outcome: inout LocationOutcome) -> Visit {
    var visit = visit
    let destination = book.add(visit) { outcome.take($0) }
    visit.destination = destination.id
    outcome.destinations.append(destination)
    return visit
  }

  /// With the destination that the visit belongs to, where it is a known one.
  private func placed(_ visit: Visit) -> Visit {
    var visit = visit
    visit.destination = book.match(visit.position)?.id
    return visit
  }
}

extension LocationOutcome {
  /// A visit no longer counts for a destination.
  fileprivate mutating func take(_ withdrawal: DestinationList.Withdrawal) {
    switch withdrawal {
    case .restored(let destination): destinations.append(destination)
    case .removed(let id): withdrawnDestinations.append(id)
    }
  }
}

// MARK: Over a restart

extension LocationPipeline {
  /// What has to survive besides the destinations: the visit that is going on, and habits.
  private static let fields = SnapshotFields<LocationPipeline>([
    .part("visits", \.detector, VisitDetector.fields),
    .part("destinations", \.book, DestinationList.fields),
    .part("hours", \.hours, DepartureHistogram.fields),
  ])

  public var snapshot: JSONValue { Self.fields.snapshot(of: self) }

  /// Goes on from a snapshot; what is not understood is left out.
  public mutating func restore(_ snapshot: JSONValue) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }

  /// Takes over what an earlier run left, which could not be asked when this one began: its
  /// destinations, and the visit that was going on then. That visit goes on, unless this run has
  /// found one meanwhile: then it ends when it was last seen.
  ///
  /// - Returns: what becomes of the visit.
  mutating func recall(_ destinations: [Destination], _ snapshot: JSONValue?) -> LocationOutcome {
    book = DestinationList(
      destinations + book.destinations, lastID: book.lastID, reach: settings.destinationReach)
    var outcome = LocationOutcome()
    guard let snapshot else { return outcome }
    var past = self
    past.detector = VisitDetector(settings: settings.dwell, nextID: detector.nextID)
    past.restore(snapshot)
    hours = past.hours
    if !detector.hasFoundVisits {
      detector = past.detector
      book = past.book
    } else {
      record(past.detector.endStay(), in: &outcome)
    }
    return outcome
  }

  /// Goes on in a store whose ids are not this run's.
  mutating func renumber(by shift: Renumbering) {
    detector.renumber(by: shift)
    book.renumber(by: shift)
    hours.renumber(by: shift)
  }
}
