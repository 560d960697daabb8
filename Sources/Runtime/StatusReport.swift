import Energy
import Notation
import Quantities
import ReceiverProtocols
import Records
import Tracking

/// What `godwit status` shows: keys are stable, more may be added, none is renamed.
public struct StatusReport {
  let conductor: Conductor
  let now: BootInstant
  let started: BootInstant
  let service: ServiceHealth

  public init(
    _ conductor: Conductor, at now: BootInstant, started: BootInstant,
    service: ServiceHealth = ServiceHealth()
  ) {
    self.conductor = conductor
    self.now = now
    self.started = started
    self.service = service
  }

  public var json: JSONValue {
    let tracker = conductor.tracker
    return .object([
      ("state", .string(state)),
      ("policy", .string(tracker.policyName)),
      ("gnss", .string(tracker.heardState.rawValue)),
      ("reason", .string(tracker.reason)),
      ("idle", idle),
      ("next_wake", time(tracker.nextWake)),
      ("next_wake_in_s", number(tracker.nextWake.map { ($0 - now).value }, digits: 1)),
      ("current_mA", current),
      ("visit", visit),
      ("date", date),
      ("store", store),
      ("receiver", receiver),
      ("power_switch", powerSwitch),
      ("fixes", fixes),
      ("energy", energy),
      ("time", time(now)),
      ("uptime_s", number((now - started).value, digits: 0)),
      ("service", .object(serviceCounters)),
    ])
  }

  private var serviceCounters: [(name: String, value: JSONValue)] {
    [
      ("wakeups", .number(Double(service.wakeups))),
      ("dropped_messages", .number(Double(service.droppedMessages))),
      ("dropped_notices", .number(Double(service.droppedNotices))),
      ("shed_clients", .number(Double(service.shedClients))),
      ("failed_connections", .number(Double(service.failedConnections))),
    ]
  }

  /// "degraded" when something that is set up does not work.
  private var state: String {
    let isWell =
      conductor.storeHealth.failure == nil && conductor.storeHealth.warning == nil
      && conductor.receiver.failure == nil
      && conductor.power.failure == nil && conductor.energy.failure == nil
      && conductor.tracker.clock.objection == nil
    return isWell ? "running" : "degraded"
  }

  private func time(_ instant: BootInstant?) -> JSONValue {
    guard let instant, let utc = conductor.tracker.clock.utc(at: instant) else { return .null }
    return .string(ISO8601.text(utc))
  }

  private func number(_ value: Double?, digits: Int) -> JSONValue {
    value.map { .rounded($0, digits: digits) } ?? .null
  }

  private var current: JSONValue {
    guard let reading = conductor.energy.lastReading else { return .null }
    return reading.isBelowFloor
      ? .string("below floor") : number(reading.current.value * 1000, digits: 3)
  }

  /// How the receiver spends the time while it is not wanted, and why so.
  private var idle: JSONValue {
    guard let idle = conductor.tracker.lowPowerPlan else { return .null }
    return .object([
      ("choice", .string(idle.choice.rawValue)),
      ("reason", .string(idle.reason)),
      ("pause_s", number(idle.pause.value, digits: 1)),
    ])
  }

  private var visit: JSONValue {
    guard let visit = conductor.tracker.openVisit else { return .null }
    return .object([
      ("arrival", .string(ISO8601.text(visit.arrival.estimate))),
      ("lat", number(visit.place.latitude.value, digits: 7)),
      ("lon", number(visit.place.longitude.value, digits: 7)),
      ("destination_id", visit.destination.map { .number(Double($0)) } ?? .null),
    ])
  }

  /// Where the date comes from, and who else stands behind it.
  private var date: JSONValue {
    let tracker = conductor.tracker
    let source: JSONValue =
      tracker.clock.utc(at: now) == nil
      ? .null : .string(tracker.clock.isFromReceiver ? "receiver" : "system-clock")
    return .object([
      ("source", source),
      ("witness", tracker.clock.witness.map { .string($0.rawValue) } ?? .null),
      ("refused", tracker.clock.objection.map { .string($0.text) } ?? .null),
      ("shortcoming", conductor.dateShortcoming.map { .string($0) } ?? .null),
    ])
  }

  private var store: JSONValue {
    let health = conductor.storeHealth
    return .object([
      ("name", conductor.storeName.map { .string($0) } ?? .null),
      ("waiting_records", .number(Double(health.waiting))),
      ("dropped_records", .number(Double(health.dropped))),
      ("failure", health.failure.map { .string($0) } ?? .null),
      ("warning", health.warning.map { .string($0) } ?? .null),
    ])
  }

  private var receiver: JSONValue {
    .object([
      ("name", conductor.receiver.name.map { .string($0) } ?? .null),
      ("failure", conductor.receiver.failure.map { .string($0) } ?? .null),
      ("bytes", .number(Double(conductor.receiver.bytesRead))),
      ("line_errors", lineErrors),
      ("identity", identity),
      ("counters", Self.counters(conductor.receiver.counters)),
    ])
  }

  /// What the line's driver counted; null where no driver counts.
  private var lineErrors: JSONValue {
    guard let errors = conductor.receiver.lineErrors else { return .null }
    return .object([
      ("overruns", .number(Double(errors.overruns))),
      ("buffer_overruns", .number(Double(errors.bufferOverruns))),
      ("framing_errors", .number(Double(errors.framing))),
      ("parity_errors", .number(Double(errors.parity))),
      ("breaks", .number(Double(errors.breaks))),
    ])
  }

  private var fixes: JSONValue {
    let counters = conductor.tracker.counters
    return .object([
      ("accepted", .number(Double(counters.fixesAccepted))),
      ("rejected", Self.rejections(counters)),
      ("epochs_without_fix", .number(Double(counters.epochsWithoutFix))),
      ("late", .number(Double(counters.fixesLate))),
      ("sessions", .number(Double(counters.sessions))),
      ("searches_failed", .number(Double(counters.searchesFailed))),
    ])
  }

  static func counters(_ counters: DecoderCounters) -> JSONValue {
    .object(counters.named.map { ("\($0.name)", .number(Double($0.count))) })
  }

  static func rejections(_ counters: TrackerCounters) -> JSONValue {
    .object(
      counters.fixesRejected.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { ($0.key.rawValue, .number(Double($0.value))) })
  }

  private var energy: JSONValue {
    let totals = conductor.energy.totals(at: now)
    return .object([
      ("gnss_on_s", number(totals.on.duration.value, digits: 1)),
      ("gnss_charge_mAh", number(totals.all.charge.milliampereHours, digits: 4)),
      ("gnss_energy_J", number(totals.all.energy.value, digits: 3)),
      ("states", states(totals)),
      ("monitor", conductor.energy.monitorName.map { .string($0) } ?? .null),
      ("monitor_scope", conductor.energy.monitorScope.map { .string($0.rawValue) } ?? .null),
      ("reading", reading),
      ("monitor_failure", conductor.energy.failure.map { .string($0) } ?? .null),
    ])
  }

  /// Of each state that there was: how long, how much of it a monitor watched, and what it took.
  private func states(_ totals: EnergyTotals) -> JSONValue {
    .object(
      GnssState.allCases.filter { totals[$0].duration > 0 }.map { state in
        let tally = totals[state]
        let mean = (tally.charge / tally.duration).value
        return (
          state.rawValue,
          .object([
            ("duration_s", number(tally.duration.value, digits: 1)),
            ("measured_duration_s", number(tally.measuredDuration.value, digits: 1)),
            ("charge_mAh", number(tally.charge.milliampereHours, digits: 4)),
            ("energy_J", number(tally.energy.value, digits: 3)),
            ("energy_uncertainty_J", number(tally.energyUncertainty?.value, digits: 3)),
            ("mean_mA", number(mean * 1000, digits: 4)),
          ])
        )
      })
  }

  /// The monitor's last one.
  private var reading: JSONValue {
    guard let reading = conductor.energy.lastReading else { return .null }
    return .object([
      ("age_s", number(max(0, (now - reading.taken).value), digits: 1)),
      ("current_mA", number(reading.current.value * 1000, digits: 4)),
      ("current_uncertainty_mA", number(reading.currentUncertainty.value * 1000, digits: 4)),
      ("below_floor", .bool(reading.isBelowFloor)),
      ("voltage_V", number(reading.voltage.value, digits: 4)),
      ("voltage_measured", .bool(reading.isVoltageMeasured)),
      ("power_mW", number(reading.power.value * 1000, digits: 3)),
    ])
  }
}
