import Config
import Energy
import Notation
import Ports
import PowerMonitor
import Quantities

/// Readings and their statistics for programs. Keys are stable.
enum PowerJSON {
  static func line(
    _ result: Result<PowerReading, PowerMonitorError>, _ elapsed: Seconds
  ) -> JSONValue {
    switch result {
    case .success(let reading): sample(reading, elapsed)
    case .failure(let error):
      .object([("time_s", number(elapsed.value, 3)), ("error", .string(error.message))])
    }
  }

  static func sample(_ reading: PowerReading, _ elapsed: Seconds) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("time_s", number(elapsed.value, 6)),
      ("current_mA", number(reading.current.value * 1000, 6)),
      ("current_uncertainty_mA", number(reading.currentUncertainty.value * 1000, 6)),
      ("voltage_V", number(reading.voltage.value, 6)),
      ("voltage_measured", .bool(reading.isVoltageMeasured)),
      ("power_mW", number(reading.power.value * 1000, 6)),
      ("below_floor", .bool(reading.isBelowFloor)), ("new", .bool(reading.isNew)),
    ]
    if let energy = reading.accumulatedEnergy {
      members.append(("accumulated_energy_J", number(energy.value, 6)))
    }
    if let charge = reading.accumulatedCharge {
      members.append(("accumulated_charge_mAh", number(charge.milliampereHours, 6)))
    }
    return .object(members)
  }

  static func statistics(_ of: PowerStatistics) -> JSONValue {
    .object([
      ("readings", .number(Double(of.readings))), ("duplicates", .number(Double(of.duplicates))),
      ("failed_readings", .number(Double(of.failures))),
      ("below_floor", .number(Double(of.belowFloor))),
      ("measured_duration_s", number(of.measured.value, 6)),
      ("gaps", .number(Double(of.gaps))), ("missing_duration_s", number(of.missing.value, 6)),
      ("current_mA", spread(of.current, 1000)), ("voltage_V", spread(of.voltage, 1)),
      ("power_mW", spread(of.power, 1000)),
      ("charge_mAh", number(of.charge.milliampereHours, 9)),
      ("charge_systematic_uncertainty_mAh", number(of.systematicCharge.milliampereHours, 9)),
      ("charge_statistical_uncertainty_mAh", number(of.statisticalCharge?.milliampereHours, 9)),
      ("energy_J", number(of.energy.value, 9)),
      ("energy_systematic_uncertainty_J", number(of.systematicEnergy.value, 9)),
      ("energy_statistical_uncertainty_J", number(of.statisticalEnergy?.value, 9)),
      ("accumulated_energy_J", number(of.accumulatedEnergy?.value, 9)),
      ("accumulated_charge_mAh", number(of.accumulatedCharge?.milliampereHours, 9)),
      (
        "jitter_s",
        .object([
          ("p50", number(of.jitter.quantile(0.5)?.value, 6)),
          ("p95", number(of.jitter.quantile(0.95)?.value, 6)),
          ("max", number(of.jitter.longest?.value, 6)),
        ])
      ),
    ])
  }

  static func metadata(
    _ settings: Settings, _ monitor: any PowerMonitorPort, interval: Seconds
  ) -> JSONValue {
    let isBoard = monitor.scope == .board
    return .object([
      ("monitor", .string(monitor.name)), ("scope", .string(monitor.scope.rawValue)),
      ("kind", .string(settings.powerMonitor.kind.rawValue)),
      ("chip", isBoard ? .null : .string(settings.powerMonitor.chip.rawValue)),
      ("shunt_mOhm", isBoard ? .null : number(settings.powerMonitor.shunt.value * 1000, 6)),
      (
        "shunt_tolerance_percent",
        isBoard ? .null : number(settings.powerMonitor.shuntTolerancePercent, 4)
      ),
      ("window_s", number(monitor.window.value, 6)), ("interval_s", number(interval.value, 6)),
      ("kernel", .string(KernelRelease.running)), ("clock", .string("CLOCK_BOOTTIME")),
    ])
  }

  private static func spread<Value: Quantity>(_ of: Spread<Value>, _ scale: Double) -> JSONValue {
    .object([
      ("mean", number(of.mean.map { $0.value * scale }, 6)),
      ("sd", number(of.standardDeviation.map { $0.value * scale }, 6)),
      ("min", number(of.least.map { $0.value * scale }, 6)),
      ("max", number(of.most.map { $0.value * scale }, 6)),
      ("p2p", number(of.peakToPeak.map { $0.value * scale }, 6)),
    ])
  }

  private static func number(_ value: Double?, _ digits: Int) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return .rounded(value, digits: digits)
  }
}
