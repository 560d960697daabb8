import Records
import Core
import GNSS
import Tracking

/// The content of `godwit status`: keys are stable, more may be added, none is renamed.
struct StatusReport {
  let runtime: TrackerRuntime
  let now: BootInstant
  let started: BootInstant
  let service: ServiceHealth

  init(
    _ runtime: TrackerRuntime, at now: BootInstant, started: BootInstant,
    service: ServiceHealth = ServiceHealth()
  ) {
    self.runtime = runtime
    self.now = now
    self.started = started
    self.service = service
  }

  var json: JSONValue { .object(activity + whereabouts + parts) }

  private typealias Members = [(name: String, value: JSONValue)]

  private var activity: Members {
    [
      ("state", .string(state)), ("recording", .bool(isRecording)),
      ("faults", .array(faults.map { .string($0) })),
      ("device_name", .text(runtime.deviceName)),
      ("settings_waiting_for_restart", .array(runtime.waitingSettings.map { .string($0) })),
      ("policy", .string(runtime.tracker.policyName)),
      ("gnss", .string(runtime.activity.positioningState.rawValue)),
      ("gnss_drawn", .string(runtime.activity.energyState.rawValue)), ("gnss_order", order),
      ("gnss_restart", ReceiverRestart(runtime).json(at: now)),
      ("reason", .string(runtime.tracker.reason)), ("low_power", lowPower),
      ("next_wake", time(runtime.tracker.nextWake)),
      ("next_wake_in_s", .rounded(runtime.tracker.nextWake.map { ($0 - now).value }, digits: 1)),
      ("current_mA", current),
    ]
  }

  private var whereabouts: Members {
    let tracker = runtime.tracker
    let coarse = tracker.lastCoarse?.json(at: tracker.clock.utc(at: now))
    let places = PlaceReport(runtime.places)
    let beacons = runtime.places.beacons.map { BeaconReport($0, at: now).json }
    let people = runtime.people.map { PeopleReport($0, at: now).json }
    return [
      ("fix", fix), ("coarse", coarse ?? .null),
      ("visit", tracker.openVisit.map(describe) ?? .null), ("places", places.inside),
      ("content", places.content), ("guards", places.guards), ("beacons", beacons ?? .null),
      ("people", people ?? .null), ("date", date),
    ]
  }

  private var parts: Members {
    [
      ("store", store), ("receiver", receiver), ("power_switch", powerSwitch),
      ("belief", motion), ("sources", sources), ("fixes", fixes), ("energy", energy),
      ("budget", BudgetReport(runtime, at: now)?.json ?? .null),
      ("uplink", runtime.uplinkReport?.json ?? .null), ("time", time(now)),
      ("uptime_s", .rounded((now - started).value, digits: 0)),
      ("service", .object(serviceCounters)),
    ]
  }

  private var serviceCounters: [(name: String, value: JSONValue)] {
    [
      ("wakeups", .count(service.wakeups)),
      ("dropped_messages", .count(service.droppedMessages)),
      ("dropped_notices", .count(service.droppedNotices)),
      ("shed_clients", .count(service.shedClients)),
      ("failed_connections", .count(service.failedConnections)),
    ]
  }

  /// "degraded" if something that is configured does not work.
  private var state: String { faults.isEmpty ? "running" : "degraded" }

  /// Whether anything is recorded at all.
  private var isRecording: Bool {
    runtime.storeHealth.failure == nil && runtime.receiver.failure == nil
      && !runtime.presence.isMissing && runtime.tracker.command.wanted != .off
  }

  func time(_ instant: BootInstant?) -> JSONValue {
    guard let instant, let utc = runtime.tracker.clock.utc(at: instant) else { return .null }
    return .string(ISO8601.text(utc))
  }

  private var current: JSONValue {
    guard let reading = runtime.energy.lastReading else { return .null }
    return reading.isBelowFloor
      ? .string("below floor") : .rounded(reading.current.value * 1000, digits: 3)
  }

  /// How the receiver spends the time without demand, and why.
  private var lowPower: JSONValue {
    guard let plan = runtime.tracker.lowPowerPlan else { return .null }
    return .object([
      ("choice", .string(plan.choice.rawValue)),
      ("reason", .string(plan.reason)),
      ("pause_s", .rounded(plan.pause.value, digits: 1)),
    ])
  }

  func describe(_ visit: Visit) -> JSONValue {
    .object([
      ("id", .count(visit.id)),
      ("arrival", .string(ISO8601.text(visit.arrival.estimate))),
      ("arrival_earliest", .string(ISO8601.text(visit.arrival.earliest))),
      ("arrival_latest", .string(ISO8601.text(visit.arrival.latest))),
      ("departure", .text(visit.departure.map { ISO8601.text($0.estimate) })),
      ("lat", .rounded(visit.position.latitude.value, digits: 7)),
      ("lon", .rounded(visit.position.longitude.value, digits: 7)),
      ("destination_id", .count(visit.destination)),
      ("label", .text(visit.destination.flatMap(runtime.label))),
    ])
  }

  /// The newest accepted fix of this run.
  var fix: JSONValue {
    let home = runtime.destinations.first(where: \.isHome)?.position
    return runtime.reporter.position.json(
      at: now, accuracy: runtime.tracker.lastGnss?.accuracy, home: home)
  }

  var presentTime: JSONValue { time(now) }

  /// The user's persistent command; null: the policy decides.
  private var order: JSONValue {
    let order = runtime.tracker.command
    guard order.wanted != .auto else { return .null }
    return .object([
      ("gnss", .string(order.wanted.rawValue)),
      ("since", .text(order.since.map { ISO8601.text($0, digits: 0) })),
    ])
  }

  /// The source of the date, and what corroborates it.
  private var date: JSONValue {
    let tracker = runtime.tracker
    let source: JSONValue =
      tracker.clock.utc(at: now) == nil
      ? .null : .string(tracker.clock.isFromReceiver ? "receiver" : "system-clock")
    return .object([
      ("source", source),
      ("witness", .text(tracker.clock.source?.rawValue)),
      ("refused", .text(tracker.clock.objection?.text)),
      ("warning", .text(runtime.dateWarning)),
    ])
  }

  private var store: JSONValue {
    let health = runtime.storeHealth
    return .object([
      ("name", .text(runtime.storeName)),
      ("waiting_records", .count(health.waiting)),
      ("dropped_records", .count(health.dropped)),
      ("failure", .text(health.failure)),
      ("warning", .text(health.warning)),
    ])
  }

  private var receiver: JSONValue {
    .object([
      ("name", .text(runtime.receiver.name)),
      ("failure", .text(runtime.receiver.failure)),
      ("missing", .bool(runtime.presence.isMissing)),
      ("bytes", .count(runtime.receiver.bytesRead)),
      ("line_errors", lineErrors),
      ("identity", identity),
      ("counters", Self.counters(runtime.receiver.counters)),
    ])
  }

  /// The counters of the line's driver; null if it has none.
  private var lineErrors: JSONValue {
    guard let errors = runtime.receiver.lineErrors else { return .null }
    return .object([
      ("overruns", .count(errors.overruns)),
      ("buffer_overruns", .count(errors.bufferOverruns)),
      ("framing_errors", .count(errors.framing)),
      ("parity_errors", .count(errors.parity)),
      ("breaks", .count(errors.breaks)),
    ])
  }

  private var fixes: JSONValue {
    let counters = runtime.tracker.counters
    return .object([
      ("accepted", .count(counters.fixesAccepted)),
      ("rejected", Self.rejections(counters)),
      ("epochs_without_fix", .count(counters.epochsWithoutFix)),
      ("late", .count(counters.fixesLate)),
      ("sessions", .count(counters.sessions)),
      ("searches_failed", .count(counters.searchesFailed)),
    ])
  }

  static func counters(_ counters: DecoderCounters) -> JSONValue {
    .object(counters.named.map { ("\($0.name)", .count($0.count)) })
  }

  static func rejections(_ counters: TrackerCounters) -> JSONValue {
    .object(
      counters.fixesRejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { ($0.key.rawValue, .count($0.value)) })
  }

  private var energy: JSONValue {
    let report = EnergyReport(runtime.energy, at: now)
    let all = report.all
    return .object([
      ("gnss_on_s", .rounded(report.on.tally.duration.value, digits: 1)),
      ("gnss_charge_mAh", .rounded(all.tally.charge.milliampereHours, digits: 4)),
      ("gnss_energy_J", .rounded(all.tally.energy.value, digits: 3)),
      ("gnss_energy_uncertainty_J", .rounded(all.tally.knownUncertainty?.value, digits: 3)),
      ("gnss_energy_text", .string(all.phrase)),
      ("states", report.states),
      ("monitor", .text(runtime.energy.monitorName)),
      ("monitor_scope", .text(runtime.energy.monitorScope?.rawValue)),
      ("reading", reading),
      ("monitor_failure", .text(runtime.energy.failure)),
    ])
  }

  /// The monitor's last reading.
  private var reading: JSONValue {
    guard let reading = runtime.energy.lastReading else { return .null }
    return .object([
      ("age_s", .rounded(max(0, (now - reading.taken).value), digits: 1)),
      ("current_mA", .rounded(reading.current.value * 1000, digits: 4)),
      ("current_uncertainty_mA", .rounded(reading.currentUncertainty.value * 1000, digits: 4)),
      ("below_floor", .bool(reading.isBelowFloor)),
      ("voltage_V", .rounded(reading.voltage.value, digits: 4)),
      ("voltage_measured", .bool(reading.isVoltageMeasured)),
      ("power_mW", .rounded(reading.power.value * 1000, digits: 3)),
    ])
  }
}
