import Delivery
import Glibc
import GodwitSettings
import Core
import Platform
import Runtime

/// Whether somebody hands records on, and how the last visit went. Nothing is sent.
enum UplinkDiagnosis {
  private static let part = "uplink"
  /// The timer starts one every quarter of an hour: if the last is longer ago, nothing does.
  private static let patience: Seconds = .days(1)

  /// Empty: nobody gets anything.
  ///
  /// - Parameters:
  ///   - report: what the daemon was told of the last visit; nil: of none, or none runs. Asked for
  ///     only where somebody gets something: a daemon that hangs takes seconds.
  ///   - now: by the clock of the uplink.
  static func findings(
    _ settings: UplinkSettings, _ report: @autoclosure () -> UplinkReport?, at now: UTCInstant
  ) -> [Finding] {
    guard settings.isOn else { return [] }
    return [activationSocket(settings.socket)] + (report().map { [visit($0, at: now)] } ?? [])
  }

  /// Whether something calls the uplink.
  private static func activationSocket(_ socket: String) -> Finding {
    if FileStatus(path: socket)?.kind == .socket { return .ok(part, "\(socket) is there") }
    let why = SystemError.last
    if why.code == EACCES {
      return .warn(part, "\(socket) cannot be looked at by this user: \(why.text)")
    }
    return .warn(
      part,
      "\(socket): nothing hands records on by itself; start it (systemctl enable --now "
        + "godwit-uplink.socket godwit-uplink.timer), set uplink.socket, or run godwit uplink")
  }

  private static func visit(_ report: UplinkReport, at now: UTCInstant) -> Finding {
    let part = "\(Self.part).visit"
    if let failure = report.failures.first {
      return .warn(
        part,
        "\(failure.way.failed(failure.count, why: failure.why)); it is tried again by itself, and "
          + "godwit uplink log says what was exchanged")
    }
    if report.refused > 0 {
      return .warn(
        part,
        "\(Counted.text(report.refused, "message")) refused, and kept: godwit uplink status says "
          + "why, and godwit uplink queue --refused queues them again")
    }
    let text =
      "the last one was at \(LocalTime.text(report.time)); "
      + "\(Counted.text(report.waiting, "message")) left"
    return now - report.time > patience ? .warn(part, text) : .ok(part, text)
  }

  /// As the daemon was told of it; nil: of none, or it does not answer.
  static func lastVisit(_ settings: ControlSettings) -> UplinkReport? {
    let status = try? ControlClient.ask(ControlRequest.status.json, path: settings.socket)
    return status?["uplink"].flatMap(UplinkReport.init)
  }
}
