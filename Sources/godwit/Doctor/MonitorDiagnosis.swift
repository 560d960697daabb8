import GodwitSettings
import Ports

/// Whether the current can be measured.
enum MonitorDiagnosis {
  static func findings(_ settings: Settings) -> [Finding] {
    let part = "monitor"
    guard let monitor = ConfiguredMonitor.port(settings) else {
      return [.ok(part, "power_monitor.kind is none: energy is modelled from section gnss")]
    }
    do {
      let current = try MeanCurrent.measure(by: monitor, for: 0.5)
      let warnings = monitor.takeWarnings().map { Finding.warn(part, $0) }
      return [.ok(part, "\(monitor.name) reads \(current.text)")] + warnings
    } catch {
      return [.fail(part, error.message)]
    }
  }
}
