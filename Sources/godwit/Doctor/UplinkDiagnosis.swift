import Delivery
import Glibc
import GodwitSettings
import Core
import Platform
import Runtime

/// Checks that the uplink is started, and how its last run went. Nothing is sent.
enum UplinkDiagnosis {
  private static let part = "uplink"
  /// The timer starts a run every quarter of an hour: if the last is older than this, the timer is
  /// not active.
  private static let maxAge: Seconds = .days(1)

  /// Empty: there is no recipient.
  ///
  /// - Parameters:
  ///   - report: the last report to the daemon; nil: none, or no daemon runs. Evaluated only if
  ///     there is a recipient, because a daemon that hangs takes seconds.
  ///   - now: by the clock of the uplink.
  static func findings(
    _ settings: UplinkSettings, _ report: @autoclosure () -> UplinkReport?, at now: UTCInstant
  ) -> [Finding] {
    guard settings.isOn else { return [] }
    return [activationSocket(settings.socket)] + (report().map { [lastRun($0, at: now)] } ?? [])
  }

  /// Checks that the uplink can be notified.
  private static func activationSocket(_ socket: String) -> Finding {
    if FileStatus(path: socket)?.kind == .socket { return .ok(part, "\(socket) exists") }
    let why = SystemError.last
    if why.code == EACCES {
      return .warn(part, "this user cannot check \(socket): \(why.text)")
    }
    return .warn(
      part,
      "\(socket): nothing uploads records automatically; start it (systemctl enable --now "
        + "godwit-uplink.socket godwit-uplink.timer), set uplink.socket, or run godwit uplink")
  }

  private static func lastRun(_ report: UplinkReport, at now: UTCInstant) -> Finding {
    let part = "\(Self.part).run"
    if let failure = report.failures.first {
      return .warn(
        part,
        "\(failure.transport.failed(failure.count, why: failure.why)); it is retried "
          + "automatically, and godwit uplink log shows the exchanges")
    }
    if report.refused > 0 {
      return .warn(
        part,
        "\(Counted.text(report.refused, "message")) refused, and kept: godwit uplink status shows "
          + "why, and godwit uplink queue --refused queues them again")
    }
    let text =
      "the last one was at \(LocalTime.text(report.time)); "
      + "\(Counted.text(report.waiting, "message")) left"
    return now - report.time > maxAge ? .warn(part, text) : .ok(part, text)
  }

  /// The last report to the daemon; nil: none, or the daemon does not respond.
  static func lastReport(_ settings: ControlSettings) -> UplinkReport? {
    let status = try? ControlClient.query(ControlRequest.status.json, path: settings.socket)
    return status?["uplink"].flatMap(UplinkReport.init)
  }
}
