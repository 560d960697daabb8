import Hardware
import GodwitSettings
import Platform
import Core
import Runtime
import Tracking

/// The parts of the daemon that are configured at a start and at a reload alike: all settings that
/// take effect `atReload`.
struct ReloadedParts: Equatable {
  let tracker: TrackerSettings
  let locatesForAlerts: Bool
  let alertCommand: AlertCommandSettings
  let deviceName: String?

  init(_ composition: Composition, coarseSources: [CoarseSource], evidenceSources: [String]) {
    let settings = composition.settings
    tracker = composition.trackerSettings(
      coarseSources: coarseSources, evidenceSources: evidenceSources)
    locatesForAlerts = settings.alerts.requestsFixes
    alertCommand = settings.alerts.command
    deviceName = settings.device.name ?? RunningSystem.hostName
  }

  /// Called before a start.
  /// - Returns: the port that runs the user's command.
  func equip(_ devices: inout Devices) -> CommandSocket {
    let command = CommandSocket(alertCommand)
    devices.noticeCommand = command
    devices.locatesForAlerts = locatesForAlerts
    return command
  }

  /// - Parameter before: the present parts. If the tracker's settings are unchanged, tracking
  ///   continues: a new tracker begins a new session.
  func apply(
    to runtime: TrackerRuntime, _ command: CommandSocket, insteadOf before: Self,
    at now: BootInstant
  ) {
    command.settings = alertCommand
    let isNew = tracker != before.tracker
    runtime.handle(
      runtime.places.reconfigure(looks: locatesForAlerts, isPolicyNew: isNew), at: now)
    if isNew { runtime.reconfigure(tracker, boot: RunningSystem.bootID, at: now) }
    runtime.deviceName = deviceName
  }
}
