import Core
import Records

/// The decisions about places and alerts: handles events and returns the actions to take. It reads
/// no clock and waits for nothing.
///
/// `PlaceWatch` determines whether the board is at a place, and `GuardWatch` whether it has left
/// its circle; this type determines which alerts that raises, and when fixes are needed.
public struct AlertEngine: Sendable {
  private var places: PlaceWatch
  /// The alerts in force, without one-time alerts that were raised.
  private var alerts: [Int64: Alert] = [:]
  private var dwell = DwellWatch()
  private var deadlines = DeadlineWatch()
  private var guards: [Int64: GuardWatch] = [:]
  private var confirmation = AccuracyConfirmation()
  private var gate = AlertGate()
  private var calendar = AlertCalendar()
  /// Guards that were armed in an earlier run.
  private var earlierGuards: [Int64: GuardWatch.Record]

  private var last: (location: Location, at: BootInstant)?
  /// Nil: it is not known to rest.
  private var restingSince: BootInstant?
  private var isSensing = false
  private var isIgnitionOn: Bool?
  private var agenda = AlertAgenda()
  /// The number of changes of presence at places with alerts: a restart must not lose them.
  public private(set) var changes = 0

  /// - Parameter state: the state of an earlier run; nil: none.
  public init(restoring state: String? = nil) {
    let memory = state.map { AlertMemory($0) } ?? AlertMemory()
    places = PlaceWatch(states: memory.zones)
    dwell.restore(memory.stays)
    deadlines.restore(memory.deadlines)
    gate.restore(memory.raised, over: memory.over)
    earlierGuards = memory.guards
    isIgnitionOn = memory.isIgnitionOn
  }

  // MARK: State

  /// The state to continue from after a restart.
  public var snapshot: String {
    var memory = AlertMemory()
    memory.zones = places.states
    memory.stays = dwell.stays
    memory.deadlines = deadlines.remembered
    memory.guards = earlierGuards.merging(guards.compactMapValues(\.remembered)) { $1 }
    memory.raised = gate.raised
    memory.over = gate.over
    memory.isIgnitionOn = isIgnitionOn
    return memory.text
  }

  /// The places around, and the board's presence at each.
  public var around: [(place: Place, state: PlacePresence.State)] { places.places }

  /// Whether there are more places around the board than can be monitored.
  public var isCrowded: Bool { places.isCrowded }

  /// The last positions of the devices that places follow.
  public var devices: DeviceReports { places.devices }

  /// Nil: no alert with this id is in force.
  public func alert(_ id: Int64) -> Alert? { alerts[id] }

  /// Whether an active alert refers to presence at a place.
  public func hasAlerts(on place: Place) -> Bool {
    alerts.values.contains {
      calendar.counts($0.id) && $0.rule.isAboutPresence && $0.rule.places?.contains(place) ?? false
    }
  }

  /// The number of changes of active alerts, by edits and schedules.
  public var recounts: Int { calendar.changes }

  /// The alerts that guard now, and the centres of their circles as far as known.
  public var guarding: [(alert: Alert, centre: Coordinate?)] {
    guards.sorted { $0.key < $1.key }.compactMap { id, guardWatch in
      alerts[id].map { ($0, guardWatch.centre) }
    }
  }

  // MARK: Events

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: the date at `now`; nil: unknown.
  public mutating func step(
    _ event: AlertEvent, at now: BootInstant, date: UTCInstant?
  ) -> [AlertEffect] {
    var step = AlertStep(now: now, date: date)
    switch event {
    case .places(let event): handle(event, &step)
    case .alerts(let list): replace(list, &step)
    case .placeEdited(let edit): notify(edit, &step)
    case .sensing(let isSensing): self.isSensing = isSensing
    case .ignition(let isOn): isIgnitionOn = isOn
    case .shaken: for id in guards.keys { guards[id]?.shaken(at: step.now) }
    case .timePassed: handle(.timePassed, &step)
    }
    keepTime(&step)
    if calendar.keepTime(alerts, at: step.date) {
      handle(.wanted(calendar.interests(of: alerts)), &step)
    }
    armGuards(&step)
    plan(&step)
    return step.effects
  }

  /// The ends of one-time alerts that were raised are durable in the store.
  public mutating func endsAreStored() { gate.endsAreStored() }

  private mutating func handle(_ event: PlaceEvent, _ step: inout AlertStep) {
    if case .presence(.located(let location)) = event, !location.isSomewhere { return }
    for effect in places.step(event, at: step.now, date: step.date) {
      switch effect {
      case .find(let box, let most, let request):
        step.effects.append(.find(near: box, atMost: most, request: request))
      case .changed(let change): changed(change, &step)
      case .requestFix(let request): agenda.requests[.places] = request.map(AlertFixRequest.init)
      }
    }
    switch event {
    case .presence(let event): handle(event, &step)
    // The location came before its places were found.
    case .found:
      keepStays(step)
      if last?.at == step.now { reportWhatIsDue(&step) }
    case .still, .wanted, .edited, .device, .beacon, .timePassed: break
    }
  }

  private mutating func reportWhatIsDue(_ step: inout AlertStep) {
    decideDeadlines(isKnown: true, &step)
    reportStays(.located, &step)
  }

  private mutating func handle(_ event: PresenceEvent, _ step: inout AlertStep) {
    switch event {
    case .located(let location): located(location, &step)
    case .searchFailed:
      decideDeadlines(isKnown: false, &step)
      reportStays(.noSky, &step)
    case .resting(let since): restingSince = restingSince ?? min(since, step.now)
    case .moving: restingSince = nil
    }
    for id in guards.keys.sorted() {
      if case .located = event { continue }
      guards[id]?.handle(event, at: step.now)
    }
  }

  private mutating func located(_ location: Location, _ step: inout AlertStep) {
    last = (location, step.now)
    let confirmed = confirmation.confirmed(by: location, alerts) { [places] in
      places[$0]?.verdict(of: location)
    }
    for (alert, change) in confirmed { raise(AlertFinding(alert, change), &step) }
    if !places.isWaiting { reportWhatIsDue(&step) }
    for id in guards.keys.sorted() {
      guard let alert = alerts[id], let verdict = guards[id]?.located(location, at: step.now)
      else { continue }
      raise(verdict, alert, location, &step)
    }
  }

  // MARK: Places

  private mutating func changed(_ change: PlaceChange, _ step: inout AlertStep) {
    if change.isCrossing { step.effects.append(.crossed(change)) }
    confirmation.changed(change)
    for alert in alerts.values.sorted(by: { $0.id < $1.id }) {
      guard let selection = alert.rule.places, selection.contains(change.place) else { continue }
      changes += 1
      if change.margin == 0 { follow(change, alert, &step) }
      if alert.rule.isMet(by: change), !confirmation.defers(change, for: alert) {
        raise(AlertFinding(alert, change), &step)
      }
    }
  }

  /// Raises the alerts that apply to the place as it was, or as it is.
  private mutating func notify(_ edit: PlaceEdit, _ step: inout AlertStep) {
    for alert in alerts.values.sorted(by: { $0.id < $1.id }) {
      guard case .changed(let selection) = alert.rule,
        selection.contains(edit.before) || edit.after.map(selection.contains) ?? false
      else { continue }
      raise(
        AlertFinding(alert, edit.text, place: edit.after ?? edit.before, location: last?.location),
        &step)
    }
  }

  /// Follows conditions that take time: stays, and departures from where the board has to be back.
  private mutating func follow(_ change: PlaceChange, _ alert: Alert, _ step: inout AlertStep) {
    switch alert.rule {
    case .dwell:
      let since = change.change.location.time - (step.now - change.change.latest)
      dwell.changed(change, alert, at: since)
    case .notBackBy: deadlines.changed(change, alert)
    default: break
    }
  }

  private mutating func raise(_ finding: AlertFinding, _ step: inout AlertStep) {
    guard gate.admits(finding, at: step.date) else { return }
    step.effects.append(.raised(finding))
    guard finding.alert.isOnce else { return }
    step.effects.append(.over(alert: finding.alert.id))
    alerts[finding.alert.id] = nil
    guards[finding.alert.id] = nil
    calendar.forget()
  }

  /// What the present step shows about the board's position.
  private enum Evidence { case located, noSky, nothing }

  private mutating func reportStays(_ news: Evidence, _ step: inout AlertStep) {
    guard let date = step.date else { return }
    let lasted = dwell.lasted(at: date, alerts) { [places, last] in
      guard places[PlaceZone($0)]?.state == .inside else { return .elsewhere }
      switch news {
      case .noSky: return .there
      case .nothing: return .unsure
      case .located:
        let verdict = last.flatMap { [zone = PlaceZone($0)] last in
          places[zone]?.verdict(of: last.location)
        }
        return verdict == .outside ? .unsure : .there
      }
    }
    for stay in lasted {
      guard let alert = alerts[stay.alert],
        let place = places.places.first(where: { $0.place.id == stay.place })?.place
      else { continue }
      raise(
        AlertFinding(
          alert, AlertText.dwelt(place, date - stay.since), place: place,
          location: last?.location), &step)
    }
  }

  // MARK: Deadlines

  /// Decides what is due by the date, whatever caused the wake.
  private mutating func keepTime(_ step: inout AlertStep) {
    guard let date = step.date else { return }
    deadlines.keep(alerts, at: date)
    deadlines.passed(at: date, alerts)
    // A location from before the rest does not show where the board rests.
    let isKnown = restingSince.map { last?.at ?? .zero >= $0 && last != nil } ?? false
    decideDeadlines(isKnown: isKnown, &step)
    reportStays(isKnown ? .located : .nothing, &step)
  }

  private mutating func decideDeadlines(isKnown: Bool, _ step: inout AlertStep) {
    guard let date = step.date else { return }
    let missed = deadlines.decide(at: date, alerts, places, last?.location, isKnown: isKnown)
    for finding in missed { raise(finding, &step) }
  }

  // MARK: Guards

  private mutating func raise(
    _ verdict: GuardWatch.Verdict, _ alert: Alert, _ location: Location, _ step: inout AlertStep
  ) {
    let isAnchor = alert.rule.kind == .anchor
    switch verdict {
    case .nothing: return
    case .left(let distance), .goesOn(let distance):
      let goesOn = verdict == .goesOn(distance)
      let text =
        isAnchor
        ? AlertText.dragged(distance, location, guards[alert.id]?.drift ?? Drift())
        : AlertText.moved(distance, goesOn: goesOn, location)
      raise(AlertFinding(alert, text, location: location), &step)
    }
  }

  /// Begins and ends circles as alerts are armed and disarmed.
  private mutating func armGuards(_ step: inout AlertStep) {
    for alert in alerts.values {
      guard let guarding = alert.rule.guarding else { continue }
      // The state stays as it is while it is unknown whether the alert is armed.
      guard let isArmed = alert.isArmed(guarding, at: step.date, isIgnitionOn: isIgnitionOn)
      else { continue }
      if isArmed, guards[alert.id] == nil {
        var one = GuardWatch(alert, restingSince: restingSince, at: step.now)
        if let record = earlierGuards.removeValue(forKey: alert.id) {
          one?.restore(record)
        } else {
          one?.armed(near: last, at: step.now)
          gate.armed(alert.id)
        }
        guards[alert.id] = one
      } else if !isArmed {
        guards[alert.id] = nil
        earlierGuards[alert.id] = nil
      }
    }
  }

  private mutating func replace(_ list: [Alert], _ step: inout AlertStep) {
    let before = alerts
    gate.keep(list)
    let inForce = list.filter { !gate.over.contains($0.id) }
    alerts = Dictionary(inForce.map { ($0.id, $0) }) { first, _ in first }
    for (id, alert) in before {
      let isElsewhere = alerts[id]?.rule != alert.rule
      if isElsewhere {
        // A changed rule starts a new circle.
        guards[id] = nil
        confirmation.forget(id)
      }
      guard isElsewhere || alerts[id]?.schedule != alert.schedule else { continue }
      deadlines.edited(id, isElsewhere: isElsewhere, at: step.date)
    }
    earlierGuards = earlierGuards.filter { alerts[$0.key]?.rule.guarding != nil }
    calendar.forget()
    keepStays(step)
  }

  /// For a new alert, or a place newly covered by one, the board may already be there.
  private mutating func keepStays(_ step: AlertStep) {
    dwell.keep(alerts, places: last == nil || places.isWaiting ? nil : places.places.map(\.place))
    guard let date = step.date else { return }
    dwell.begin(
      alerts.values.sorted { $0.id < $1.id }, at: date,
      inside: places.places.filter { $0.state == .inside }.map(\.place))
  }

  // MARK: The next actions

  private mutating func plan(_ step: inout AlertStep) {
    agenda.requests[.guards] = guards.filter { calendar.counts($0.key) }
      .compactMap { $0.value.nextFix(at: step.now, isSensed: isSensing) }
      .min { ($0.at, $0.accuracy) < ($1.at, $1.accuracy) }
    let stays = dwell.dues(alerts.filter { calendar.counts($0.key) }) { [places] in
      places[PlaceZone($0)]?.state == .inside
    }
    let due = places.due(at: step.now, date: step.date)
    agenda.planWake([deadlines.due(alerts), due, calendar.next].compactMap { $0 } + stays, step)
    var reason: String?
    if !deadlines.pending.isEmpty {
      reason = "the board must be there by now"
    } else if let date = step.date, stays.contains(where: { $0 <= date }) {
      reason = "a stay has lasted long enough"
    }
    agenda.requestNow(step.date == nil ? nil : reason, lastAt: last?.at, at: step.now)
    agenda.emitChanges(&step)
  }
}
