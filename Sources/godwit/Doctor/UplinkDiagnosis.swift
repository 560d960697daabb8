import Delivery
import Glibc
import GodwitSettings
import Notation
import Platform
import Quantities
import Runtime

/// Whether somebody hands records on, and how the last visit went. Nothing is sent.
enum UplinkDiagnosis {
  private static let part = "uplink"
  /// A visit that is longer ago was not the service's, which looks for something to do every day.
  private static let patience: Seconds = .days(1)

  /// Empty: nobody gets anything.
  ///
  /// - Parameters:
  ///   - report: what the daemon was told of the last visit; nil: of none, or none runs.
  ///   - now: by the clock of the uplink.
  static func findings(
    _ settings: UplinkSettings, _ report: UplinkReport?, at now: UTCInstant
  ) -> [Finding] {
    guard settings.isOn else { return [] }
    return [door(settings.socket), report.map { visit($0, at: now) }].compactMap { $0 }
  }

  /// What calls the uplink; nil: it is there, and the last visit says more.
  private static func door(_ socket: String) -> Finding? {
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
      let times = failure.count == 1 ? "once" : "\(failure.count) times"
      return .warn(
        part,
        "\(failure.way.name) failed \(times) in a row: \(failure.why); it is tried again by "
          + "itself, and godwit uplink log says what was exchanged")
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
