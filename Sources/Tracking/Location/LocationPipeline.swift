import Core
import GNSS
import Records

/// How locations are processed.
public struct LocationSettings: Hashable, SettingGroup {
  var gate = GateSettings()
  public var dwell = DwellSettings()
  public var trajectory = TrajectorySettings()
  var destinationReach: Metres = 100

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    gate.declare(setting)
    setting.section("dwell", counts: .atReload, "Detection of stays.")
    dwell.declare(setting)
    setting(
      "destination_reach_m", &destinationReach, .quantity(1...10_000),
      "Maximum distance of the centres of two visits to the same destination, if they were located "
        + "exactly. Inaccurate visits belong to the likeliest destination within their error.")
    setting.ascending("rest_radius_m", "leave_radius_m")
    trajectory.declare(setting)
  }
}

/// The result of a fix.
public enum FixOutcome: Hashable, Sendable {
  case rejected(RejectionReason)
  case accepted(Location, LocationOutcome)
}

/// The result of a location, or of the end of the data.
public struct LocationOutcome: Hashable, Sendable {
  public var visits: [VisitChange] = []
  /// New or changed.
  public var destinations: [Destination] = []
  /// Destinations whose only visit was withdrawn.
  public var withdrawnDestinations: [Int64] = []
  /// Whether the date has changed: the stored track starts anew with the location.
  public var isOfOtherDate = false
  /// Where the board was when a sensor reported rest or departure.
  var rests: [Location] = []

  public init() {}
}

/// The processing of locations: gate, visits, destinations. Live, replayed and simulated fixes are
/// treated alike.
public struct LocationPipeline: Sendable {
  let settings: LocationSettings
  private var gate: FixGate
  private var detector: VisitDetector
  private var destinationList: DestinationList
  private var hours = DepartureHistogram()
  /// The last GNSS location.
  public private(set) var lastGnss: Location?
  /// When this run first looked for a location.
  private var firstPowerOn: BootInstant?
  /// Consecutive fixes with a date before the latest one, see `isOfOtherDate`.
  private var earlierFixes = 0

  public init(
    _ settings: LocationSettings, nextVisitID: Int64 = 1, lastDestinationID: Int64 = 0,
    destinations: [Destination] = []
  ) {
    self.settings = settings
    gate = FixGate(settings.gate)
    detector = VisitDetector(settings: settings.dwell, nextID: nextVisitID)
    destinationList = DestinationList(
      destinations, lastID: lastDestinationID, reach: settings.destinationReach)
  }

  public var openVisit: Visit? { detector.open.map { destinationList.placed($0) } }
  var openVisitID: Int64? { detector.openID }
  public var nextVisitID: Int64 { detector.nextID }
  /// The highest id in use.
  var lastDestinationID: Int64 { destinationList.lastID }
  public var destinations: [Destination] { destinationList.destinations }

  /// The habit factor for a pause between two fix attempts at the place of the open visit.
  func usualStretch(at time: UTCInstant) -> Double {
    openVisit?.destination.map { hours.stretch(at: $0, time) } ?? 1
  }

  mutating func poweredOn(at instant: BootInstant) {
    firstPowerOn = firstPowerOn ?? instant
    gate.poweredOn(at: instant)
  }

  public mutating func handle(_ fix: Fix) -> FixOutcome { handle(fix, after: nil) }

  /// - Parameters:
  ///   - rest: the rest whose place the fix determines; nil: none.
  ///   - refutesRest: whether the location proves that the board cannot have rested until then.
  mutating func handle(
    _ fix: Fix, after rest: UnlocatedRest?, refutesRest: (Location) -> Bool = { _ in false }
  ) -> FixOutcome {
    switch gate.evaluate(fix) {
    case .rejected(let reason): return .rejected(reason)
    case .accepted(let location, let dateShift):
      var outcome = LocationOutcome()
      lastGnss = location
      if let firstPowerOn, detector.latestTime == nil {
        detector.watched(since: location.time - (fix.received - firstPowerOn))
      }
      countIfEarlier(location.time)
      if isOfOtherDate(dateShift) { restartForDate(&outcome, with: location) }
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

  /// The board had already rested near here before it was located.
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
    if let latest = rest.sensedBy {
      detector.came(arrival(at: first.time, within: latest - rest.since, isSensed: true))
    }
    detector.lackedLocation(from: first.time, to: location.time)
    guard let until = rest.until else { return }
    let end = location.time - (received - until)
    record(detector.rested(until: end, within: 0), in: &outcome)
  }

  /// Whether the date has changed, or accepted fixes keep coming with dates before those of an
  /// earlier run. A clock correction of less than a stay's minimum length is ignored.
  private func isOfOtherDate(_ dateShift: Seconds?) -> Bool {
    if let dateShift, dateShift.magnitude > settings.dwell.minDwell { return true }
    return earlierFixes >= settings.gate.fixesToRecover
  }

  /// Neither a line nor a stay connects one date with the other.
  private mutating func restartForDate(_ outcome: inout LocationOutcome, with location: Location) {
    earlierFixes = 0
    outcome.isOfOtherDate = true
    record(detector.restartForDate(with: location), in: &outcome)
  }

  /// A coarse location that was accepted.
  /// - Parameter isAtRest: whether other evidence shows that the board is where it was.
  mutating func handle(coarse location: Location, isAtRest: Bool, _ clock: UTCClock)
    -> LocationOutcome
  {
    var outcome = LocationOutcome()
    if detector.latestTime == nil, let since = firstPowerOn.flatMap({ clock.utc(at: $0) }) {
      detector.watched(since: since)
    }
    record(detector.observe(location, isAtRest: isAtRest), in: &outcome)
    return outcome
  }

  /// Handles findings about a stay that do not come from locations, where the date is known.
  mutating func handle(_ news: MotionEvent, _ clock: UTCClock) -> LocationOutcome {
    var outcome = LocationOutcome()
    switch news {
    case .arrived(let instant, let radius, let latest, let isSensed):
      guard let date = clock.utc(at: instant) else { return outcome }
      let arrival = arrival(at: date, within: latest - instant, isSensed: isSensed)
      record(detector.arrived(arrival, within: radius), in: &outcome)
    case .rested(let instant, let isMonitored, let delay):
      guard let date = clock.utc(at: instant) else { return outcome }
      let changes = detector.rested(
        until: date, within: 0, isMonitored: isMonitored, delay: delay)
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

  private func arrival(at date: UTCInstant, within time: Seconds, isSensed: Bool) -> UnseenArrival {
    UnseenArrival(
      time: date.nanoseconds, latest: (date + max(time, 0)).nanoseconds, isSensed: isSensed)
  }

  /// The end of the data or of the daemon. The open visit stays open.
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
        if let withdrawal = destinationList.withdraw(id) { outcome.take(withdrawal) }
      case .ended(let visit):
        let visit = count(visit, in: &outcome)
        if let destination = visit.destination { hours.ended(visit, at: destination) }
        outcome.visits.append(.ended(visit))
      }
    }
  }

  /// The visit with its destination. The destination counts it from its first report, so that a
  /// user can name it while there.
  private mutating func count(_ visit: Visit, in outcome: inout LocationOutcome) -> Visit {
    let destination = destinationList.add(visit) { outcome.take($0) }
    outcome.destinations.append(destination)
    return destinationList.placed(visit)
  }
}

extension LocationOutcome {
  /// Handles a visit that no longer counts for a destination.
  fileprivate mutating func take(_ withdrawal: DestinationList.Withdrawal) {
    switch withdrawal {
    case .restored(let destination): destinations.append(destination)
    case .removed(let id): withdrawnDestinations.append(id)
    }
  }
}

// MARK: Over a restart

extension LocationPipeline {
  /// What is kept besides the destinations: the open visit, and habits.
  private static let fields = SnapshotFields<LocationPipeline>([
    .part("visits", \.detector, VisitDetector.fields),
    .part("destinations", \.destinationList, DestinationList.fields),
    .part("hours", \.hours, DepartureHistogram.fields),
  ])

  public var snapshot: JSONValue { Self.fields.snapshot(of: self) }

  /// Continues from a snapshot; data that cannot be decoded is dropped.
  public mutating func restore(_ snapshot: JSONValue) {
    self = Self.fields.restored(snapshot, onto: self) ?? self
  }

  /// Takes over the state of an earlier run that was not readable when this one began: its
  /// destinations, and its open visit. That visit continues, unless this run has found one
  /// meanwhile: then it ends when it was last observed.
  ///
  /// - Returns: the changes of the visit.
  mutating func recall(_ destinations: [Destination], _ snapshot: JSONValue?) -> LocationOutcome {
    destinationList = DestinationList(
      destinations + destinationList.destinations, lastID: destinationList.lastID,
      reach: settings.destinationReach)
    var outcome = LocationOutcome()
    guard let snapshot else { return outcome }
    var past = self
    past.detector = VisitDetector(settings: settings.dwell, nextID: detector.nextID)
    past.restore(snapshot)
    hours = past.hours
    if !detector.hasFoundVisits {
      detector = past.detector
      destinationList = past.destinationList
    } else {
      record(past.detector.endStay(), in: &outcome)
    }
    return outcome
  }

  /// Continues in a store whose ids differ from this run's.
  mutating func renumber(by shift: Renumbering) {
    detector.renumber(by: shift)
    destinationList.renumber(by: shift)
    hours.renumber(by: shift)
  }
}
