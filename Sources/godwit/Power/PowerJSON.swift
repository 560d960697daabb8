import Records
import GodwitSettings
import Formats
import Core
import Platform
import Ports
import Hardware

/// One reading of a recording.
struct PowerSample {
  /// The time since the recording's start.
  let elapsed: Seconds
  let reading: PowerReading

  /// For `watch` and `record`. JSON omits trailing zeros, and counters that the chip does not have.
  static let columns = Columns<PowerSample>([
    .number("time_s", digits: 6, cell: .figure("time_s", digits: 3), csv: "time_s") {
      $0.elapsed.value
    }.brief,
    .number("current_mA", digits: 6, cell: .figure("current_mA", digits: 4), csv: "current_mA") {
      $0.reading.current.value * 1000
    }.brief,
    .number(
      "current_uncertainty_mA", digits: 6, cell: .figure("current_uncertainty_mA", digits: 4),
      csv: "current_uncertainty_mA"
    ) { $0.reading.currentUncertainty.value * 1000 }.brief,
    .number("voltage_V", digits: 6, cell: .figure("voltage_V", digits: 4), csv: "voltage_V") {
      $0.reading.voltage.value
    }.brief,
    .flag("voltage_measured") { $0.reading.isVoltageMeasured },
    .number("power_mW", digits: 6, cell: .figure("power_mW", digits: 3), csv: "power_mW") {
      $0.reading.power.value * 1000
    }.brief,
    .flag("below_floor", cell: .plain("below_floor"), csv: "below_floor") {
      $0.reading.isBelowFloor
    },
    .flag("new", cell: .plain("new"), csv: "new") { $0.reading.isNew },
    .number("accumulated_energy_J", digits: 6) { $0.reading.accumulatedEnergy?.value }.brief,
    .number("accumulated_charge_mAh", digits: 6) {
      $0.reading.accumulatedCharge?.milliampereHours
    }.brief,
  ])
}

/// Readings and their statistics for programs. Keys are stable.
enum PowerJSON {
  static func line(
    _ result: Result<PowerReading, PortError>, _ elapsed: Seconds
  ) -> String {
    switch result {
    case .success(let reading):
      var json = JSONWriter()
      PowerSample.columns.append(PowerSample(elapsed: elapsed, reading: reading), to: &json)
      return json.text
    case .failure(let error):
      return JSONValue.object([
        ("time_s", .rounded(elapsed.value, digits: 3)), ("error", .string(error.message)),
      ]).text
    }
  }

  /// - Parameter hasEnergy: whether the current was drawn from the supply.
  static func statistics(_ of: PowerStatistics, hasEnergy: Bool) -> JSONValue {
    func energy(_ value: Joules?) -> JSONValue {
      .rounded(hasEnergy ? value?.value : nil, digits: 9)
    }
    return .object([
      ("readings", .count(of.readings)), ("duplicates", .count(of.duplicates)),
      ("failed_readings", .count(of.failures)),
      ("below_floor", .count(of.belowFloor)),
      ("effective_readings", .rounded(of.current.effectiveCount, digits: 1)),
      ("measured_duration_s", .rounded(of.measured.value, digits: 6)),
      ("gaps", .count(of.gaps)), ("missing_duration_s", .rounded(of.missing.value, digits: 6)),
      ("current_mA", spread(of.current, 1000)), ("voltage_V", spread(of.voltage, 1)),
      ("power_mW", spread(of.power, 1000)),
      ("charge_mAh", .rounded(of.charge.milliampereHours, digits: 9)),
      (
        "charge_systematic_uncertainty_mAh",
        .rounded(of.systematicCharge.milliampereHours, digits: 9)
      ),
      (
        "charge_statistical_uncertainty_mAh",
        .rounded(of.statisticalCharge?.milliampereHours, digits: 9)
      ),
      (
        "charge_expanded_uncertainty_mAh",
        .rounded(of.expandedCharge?.milliampereHours, digits: 9)
      ),
      ("energy_J", energy(of.energy)),
      ("energy_systematic_uncertainty_J", energy(of.systematicEnergy)),
      ("energy_statistical_uncertainty_J", energy(of.statisticalEnergy)),
      ("energy_expanded_uncertainty_J", energy(of.expandedEnergy)),
      ("accumulated_energy_J", energy(of.accumulatedEnergy)),
      ("accumulated_charge_mAh", .rounded(of.accumulatedCharge?.milliampereHours, digits: 9)),
      (
        "jitter_s",
        .object([
          ("p50", .rounded(of.jitter.quantile(0.5)?.value, digits: 6)),
          ("p95", .rounded(of.jitter.quantile(0.95)?.value, digits: 6)),
          ("max", .rounded(of.jitter.maximum?.value, digits: 6)),
        ])
      ),
    ])
  }

  /// What was recorded, and where and when.
  static func metadata(
    _ settings: Settings, _ monitor: any PowerMonitorPort, interval: Seconds,
    start: RecordingStart, details: [(String, JSONValue)]
  ) -> JSONValue {
    let isBoard = monitor.scope == .board
    return .object(
      [
        ("monitor", .string(monitor.name)), ("scope", .string(monitor.scope.rawValue)),
        ("kind", .string(settings.powerMonitor.kind.rawValue)),
        ("chip", isBoard ? .null : .string(settings.powerMonitor.chip.rawValue)),
        (
          "shunt_mOhm",
          isBoard ? .null : .rounded(settings.powerMonitor.shunt.value * 1000, digits: 6)
        ),
        (
          "shunt_tolerance_percent",
          isBoard ? .null : .rounded(settings.powerMonitor.shuntTolerancePercent, digits: 4)
        ),
        ("window_s", .rounded(monitor.window.value, digits: 6)),
        ("interval_s", .rounded(interval.value, digits: 6)),
        ("nominal_supply_V", .rounded(settings.gnss.supply.value, digits: 4)),
        ("program", .string("godwit \(Godwit.configuration.version)")),
        ("host", .string(RunningSystem.hostName)), ("machine", .string(RunningSystem.machine)),
        ("kernel", .string(RunningSystem.kernelRelease)), ("clock", .string("CLOCK_BOOTTIME")),
      ] + start.members + details)
  }

  private static func spread<Value: Quantity>(_ of: Spread<Value>, _ scale: Double) -> JSONValue {
    .object([
      ("mean", .rounded(of.mean.map { $0.value * scale }, digits: 6)),
      ("sd", .rounded(of.standardDeviation.map { $0.value * scale }, digits: 6)),
      ("min", .rounded(of.minimum.map { $0.value * scale }, digits: 6)),
      ("max", .rounded(of.maximum.map { $0.value * scale }, digits: 6)),
      ("p2p", .rounded(of.peakToPeak.map { $0.value * scale }, digits: 6)),
    ])
  }
}
