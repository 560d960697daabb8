import Places
import Core
import Ports
import Records
import Tracking

/// Connects the tracker's findings with the place and alert engines, and their effects with the
/// store, the journal and the tracker's demands.
///
/// Nothing is evaluated before the store has provided the state of an earlier run, so that a stored
/// crossing is not stored again.
public final class PlaceDriver: Endpoint {
  /// The number of crossings remembered for references.
  private static let mostCrossed = 256

  public let kind = "places"
  public let fruitlessLimit = 20
  public let interest: Interest? = nil

  private let writer: StoreWriter
  private let delivery: NoticeDelivery
  /// Nil: there is no beacon radio.
  public private(set) var beacons: BeaconDriver?
  private let source: PlaceSource
  private var ends: PlaceEnds
  private let contentSelector: ContentSelector
  private var mayRequestFixes: Bool
  /// The fixes that alerts request, whether or not fixes for alerts are enabled.
  private var wanted: [AlertFixReason: AlertFixRequest] = [:]
  private let log: LogChannel
  /// Nil until the state of an earlier run was read from the store.
  private var alerts: AlertEngine?
  private var lastSighting = Sighting()
  private var clock = UTCClock()
  /// The highest id in use.
  private var lastID: Int64 = 0
  let edits: EditWatch
  private var editMark: Int64?
  /// Whether alerts and places have to be read again.
  private var isStale = true
  /// Whether a one-time alert was raised. Alerts are read again once that is stored, so that an
  /// alert armed again counts as a new one.
  private var hasEnded = false
  /// A query that the store could not answer yet.
  private var unanswered: AlertEffect?
  private var isAnswering = false
  /// The back-off while the store cannot be queried.
  private var retry = BackOff(first: 30, maxPause: 900)
  private var wake: BootInstant?
  /// The area where a policy follows places.
  private var followed: SphericalCap?
  /// Places of letters and meetings; followed like places with an alert.
  var leftByPeople: [PlaceRegion] = []
  /// The last crossing of each place, for references from notices.
  private var crossed: [PlaceZone: Int64] = [:]

  init(_ writer: StoreWriter, _ devices: Devices, log: LogChannel) {
    self.writer = writer
    edits = EditWatch(writer)
    mayRequestFixes = devices.locatesForAlerts
    self.log = log
    source = PlaceSource(writer, zones: devices.timeZones, visitor: devices.visitor, log: log)
    ends = PlaceEnds(writer, visitor: devices.visitor)
    contentSelector = ContentSelector(writer, source, chance: devices.random, log: log)
    delivery = NoticeDelivery(writer, devices.noticeCommand, source, log: log)
    beacons = devices.beaconRadio.map { BeaconDriver($0, devices.beacons, self, log: log) }
    writer.onStoreChange = { [unowned self] shift in
      isStale = true
      if let shift {
        lastID += shift.occurrences
        crossed = crossed.mapValues { $0 + shift.occurrences }
        delivery.renumber(by: shift)
      }
    }
  }

  var endpoints: [any Endpoint] { [self, delivery] + (beacons.map { [$0] } ?? []) }
  public var due: BootInstant? { .earlier(wake, retry.until ?? ends.due) }

  /// The state to keep over a restart; nil until it is known.
  var snapshot: String? { alerts?.snapshot }

  /// Whether it was reported that more places are around the board than can be watched.
  private var isCrowded = false

  /// How often places were read: the first time, and after edits.
  private(set) var readings = 0

  /// The places that contain the board.
  var inside: [Place] {
    (alerts?.around ?? []).filter { $0.state == .inside }.map(\.place)
  }

  /// The last positions of tracked devices.
  var devices: DeviceReports { alerts?.devices ?? DeviceReports() }

  /// The alerts that guard a position now.
  var guarding: [(alert: Alert, centre: Coordinate?)] { alerts?.guarding ?? [] }

  /// The content shown last, and its place.
  var shown: ContentSelector.Shown? { contentSelector.last }

  /// Applies reloaded settings, including those of the user's command.
  ///
  /// - Parameters:
  ///   - looks: whether alerts may cause fixes from now on.
  ///   - isPolicyNew: then a policy that follows places requests them anew.
  package func reconfigure(looks: Bool, isPolicyNew: Bool) -> [Input] {
    delivery.commandChanged()
    if isPolicyNew { followed = nil }
    guard looks != self.mayRequestFixes else { return [] }
    self.mayRequestFixes = looks
    return AlertFixReason.allCases.map(demand(of:))
  }

  // MARK: What happens

  /// Called after the tracker has handled an event.
  func follow(_ tracker: Tracker, _ event: Event, at now: BootInstant) -> [Input] {
    clock = tracker.clock
    var inputs = refresh(at: now)
    guard alerts != nil else { return inputs }
    if case .evidence(.ignition(let isOn), _) = event { inputs += step(.ignition(isOn: isOn), now) }
    let sighting = tracker.sighting
    for event in sighting.alertEvents(since: lastSighting) {
      inputs += step(event, now)
    }
    lastSighting = sighting
    return inputs + (beacons?.follow(sighting, at: now) ?? [])
  }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard due.map({ now >= $0 }) ?? false else { return Served(isFruitful: false) }
    var inputs = refresh(at: now)
    if let wake, now >= wake {
      self.wake = nil
      inputs += step(.timePassed, now)
    }
    return Served(inputs, isFruitful: true)
  }

  /// Places or alerts were edited.
  public func edited(at now: BootInstant) -> [Input] {
    isStale = true
    return refresh(at: now) + (beacons?.follow(lastSighting, at: now) ?? [])
  }

  /// A tracked device has reported its position.
  func device(_ name: String, at position: Coordinate, _ now: BootInstant) -> [Input] {
    step(.places(.device(name, at: position)), now)
  }

  /// A beacon of a place is received, or none of them any longer.
  func beacon(of place: Place, _ hearing: BeaconReception, at now: BootInstant) -> [Input] {
    step(.places(.beacon(place, hearing)), now)
  }

  /// The places with beacons; nil: the store cannot be read at present.
  func placesWithBeacons(atMost most: Int, at now: BootInstant) -> [Place]? {
    (try? source.placesWithBeacons(atMost: most, at: now)) ?? nil
  }

  /// Everything queued for the store is durable.
  func committed(at now: BootInstant) {
    guard writer.isAllStored else { return }
    if hasEnded {
      hasEnded = false
      isStale = true
      alerts?.endsAreStored()
    }
    contentSelector.committed()
    delivery.committed(at: now)
  }

  /// Raises an alert as a test.
  /// - Returns: the id of the notice; nil: no such alert is in force.
  func test(_ id: Int64, at now: BootInstant) -> Int64? {
    guard let alert = alerts?.alert(id) else { return nil }
    let place = alert.rule.places?.onlyPlace.flatMap { source.place($0.description) }
    let finding = AlertFinding(
      alert, "a test of this alert", place: place, location: lastSighting.location)
    return raise(finding, isTest: true, at: now)
  }

  /// Allocates the id of a notice that belongs to no alert, and returns how the user's command
  /// handles it.
  func reserveNotice() -> (id: Int64, handling: Notice.Handling) {
    lastID += 1
    return (lastID, delivery.isSetUp ? .waiting : .none)
  }

  /// Delivers durable notices that belong to no alert.
  func raised(_ notices: [Notice], at now: BootInstant) {
    if !notices.isEmpty { delivery.resume(notices, at: now) }
  }

  // MARK: The store

  /// Repeats what the store could not answer before, and reads what was edited.
  private func refresh(at now: BootInstant) -> [Input] {
    if let until = retry.until, now < until { return [] }
    do throws(PortError) {
      try load(at: now)
      let inputs = try reread(at: now) + reportEnds(at: now) + answer(at: now)
      retry.succeeded()
      writer.readResult(nil, at: now)
      return inputs
    } catch {
      retry.failed(at: now)
      writer.readResult(error, at: now)
      return []
    }
  }

  private func load(at now: BootInstant) throws(PortError) {
    guard alerts == nil else { return }
    let left = try writer.query { (store) throws(PortError) in
      (
        state: try store.placeState(), last: try store.lastIdentifiers().occurrence,
        waiting: try store.waitingNotices(atMost: NoticeDelivery.most)
      )
    }
    guard let left else { return }
    alerts = AlertEngine(restoring: left.state)
    lastID = max(lastID, left.last)
    delivery.resume(left.waiting, at: now)
  }

  private func reread(at now: BootInstant) throws(PortError) -> [Input] {
    guard alerts != nil else { return [] }
    if source.isOutdated(on: clock.utc(at: now)) { isStale = true }
    // Taken before the data are read: an edit in between is read again.
    let mark = try edits.mark(at: now, isStale: isStale)
    guard isStale || mark != editMark else { return [] }
    guard let alerts = try source.alerts(on: clock.utc(at: now), at: now) else { return [] }
    let edits = try source.edits(for: alerts, at: now)
    editMark = mark
    isStale = false
    ends.edited(isWanted: alerts.contains { $0.rule.kind == .changed })
    contentSelector.edited()
    readings += 1
    var inputs = step(.alerts(alerts), now) + step(.places(.edited), now)
    for edit in edits.edits { inputs += step(.placeEdited(edit), now) }
    if let last = edits.last { writer.store(.placeEditsReported(upTo: last), clock, at: now) }
    return inputs
  }

  private func reportEnds(at now: BootInstant) throws(PortError) -> [Input] {
    guard alerts != nil else { return [] }
    let ended = try ends.passed(at: now, date: clock.utc(at: now))
    return ended.flatMap { step(.placeEdited($0), now) }
  }

  /// The result for one area is processed before the next is queried.
  private func answer(at now: BootInstant) throws(PortError) -> [Input] {
    guard !isAnswering else { return [] }
    isAnswering = true
    defer { isAnswering = false }
    var inputs: [Input] = []
    while case .find(let box, let most, let request) = unanswered {
      guard let found = try source.places(near: box, atMost: most, at: now) else { break }
      unanswered = nil
      inputs += step(
        .places(
          .found(
            found.places, openings: found.openings, request: request, isCut: found.isCut)), now)
    }
    return inputs
  }

  /// The places around, for a policy that follows them.
  func targets(within cap: SphericalCap, at now: BootInstant) -> [Input] {
    followed = cap
    guard let (found, cap) = source.surroundings(within: cap, at: now) else { return [] }
    let date = clock.utc(at: now)
    let targets = found.places.compactMap { place -> PlaceTarget? in
      let opening = found.openings[place.id] ?? PlaceOpening(place.lifetime)
      guard date.map(opening.isOpen) ?? true, let region = place.region() else { return nil }
      return PlaceTarget(region, hasAlerts: alerts?.hasAlerts(on: place) ?? false)
    }
    let left = leftByPeople.map { PlaceTarget($0, hasAlerts: true) }
    return [.tracker(.places(targets + left, within: cap))]
  }

  /// The followed places have changed.
  func follow(at now: BootInstant) -> [Input] {
    followed.map { targets(within: $0, at: now) } ?? []
  }

  // MARK: Effects

  private func step(_ event: AlertEvent, _ now: BootInstant) -> [Input] {
    let before = alerts?.changes
    let recounts = alerts?.recounts
    guard let effects = alerts?.step(event, at: now, date: clock.utc(at: now)) else { return [] }
    // After a power cut the board has to know where it was outside, and no crossing records that.
    if alerts?.changes != before { writer.makeUrgent(at: now) }
    var inputs: [Input] = []
    for effect in effects { inputs += perform(effect, at: now) }
    if alerts?.recounts != recounts { inputs += follow(at: now) }
    logCrowding(at: now)
    return inputs
  }

  private func logCrowding(at now: BootInstant) {
    guard let alerts, alerts.isCrowded != isCrowded else { return }
    isCrowded = alerts.isCrowded
    guard isCrowded else { return }
    log.write(
      "places-crowded",
      "there are more places nearby than can be watched, \(PlaceWatch.most) places or areas with "
        + "\(EdgeLimit.most) edges: farther ones will raise no alerts",
      level: .warning, at: now)
  }

  private func perform(_ effect: AlertEffect, at now: BootInstant) -> [Input] {
    switch effect {
    case .find:
      unanswered = effect
      do throws(PortError) { return try answer(at: now) } catch { retry.failed(at: now) }
    case .crossed(let change): store(change, at: now)
    case .raised(let finding): _ = raise(finding, isTest: false, at: now)
    case .over(let alert):
      writer.store(.alertFinished(id: alert), clock, at: now)
      hasEnded = true
    case .requestFix(let requester, let request):
      wanted[requester] = request
      return mayRequestFixes ? [demand(of: requester)] : []
    case .wake(let instant): wake = instant
    }
    return []
  }

  private func demand(of requester: AlertFixReason) -> Input {
    let demand = wanted[requester].map {
      GnssDemand(.off(until: $0.at), accuracy: $0.accuracy, reason: $0.reason)
    }
    return .tracker(.demand(from: DemanderName(requester.rawValue), mayRequestFixes ? demand : nil))
  }

  private func store(_ change: PlaceChange, at now: BootInstant) {
    lastID += 1
    crossed[change.zone] = lastID
    if crossed.count > Self.mostCrossed, let oldest = crossed.min(by: { $0.value < $1.value }) {
      crossed[oldest.key] = nil
    }
    let crossing = Crossing(lastID, change) { [clock] in clock.utc(at: $0) }
    writer.store(.crossing(crossing), clock, at: now)
    log.write(
      "place-\(crossing.change.rawValue)",
      "\(crossing.placeName): \(change.change.evidenceInWords)", at: now)
    guard crossing.change != .left,
      let action = contentSelector.entered(change.place, crossing, by: clock, at: now)
    else { return }
    writer.store(.contentAction(action), clock, at: now)
  }

  private func raise(_ finding: AlertFinding, isTest: Bool, at now: BootInstant) -> Int64 {
    lastID += 1
    var notice = Notice(lastID, finding, date: clock.utc(at: now), isTest: isTest)
    notice.crossing = finding.change.flatMap { crossed[$0.zone] }
    notice.handling = delivery.isSetUp ? .waiting : .none
    writer.store(.notice(notice), clock, at: now)
    log.write("alert", "\(notice.alertName): \(notice.text)", at: now)
    delivery.raised(notice)
    return notice.id
  }
}
