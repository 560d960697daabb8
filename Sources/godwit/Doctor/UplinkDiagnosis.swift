import Delivery
import GodwitSettings
import Notation
import Platform
import Runtime

/// Whether somebody hands records on, and how the last visit went. Nothing is sent.
enum UplinkDiagnosis {
  private static let part = "uplink"

  /// Nil: nobody gets anything.
  ///
  /// - Parameter report: what the daemon was told of the last visit; nil: of none, or none runs.
  static func finding(_ settings: UplinkSettings, _ report: UplinkReport?) -> Finding? {
    guard settings.isOn else { return nil }
    if let failure = report?.failures.first {
      let times = failure.count == 1 ? "once" : "\(failure.count) times"
      return .warn(
        part,
        "\(failure.way.name) failed \(times) in a row: \(failure.why); once that is mended, "
          + "\"sudo -u godwit-uplink godwit uplink run\" tries it at once")
    }
    guard FileStatus(path: settings.socket)?.kind == .socket else {
      return .fail(
        part,
        "\(settings.socket): nobody hands records on; start it (systemctl enable --now "
          + "godwit-uplink.socket godwit-uplink.timer), or set uplink.socket")
    }
    guard let report else {
      return .ok(part, "\(settings.socket) exists; nothing was told of a visit yet")
    }
    return .ok(
      part,
      "the last visit was at \(LocalTime.text(report.time)); "
        + "\(Counted.text(report.waiting, "message")) left")
  }

  /// As the daemon was told of it; nil: of none, or it does not answer.
  static func lastVisit(_ settings: ControlSettings) -> UplinkReport? {
    guard ControlClient.isDaemonThere(path: settings.socket),
      let status = try? ControlClient.ask(ControlRequest.status.json, path: settings.socket)
    else { return nil }
    return status["uplink"].flatMap(UplinkReport.init)
  }
}
