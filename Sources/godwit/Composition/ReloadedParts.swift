import Hardware
import GodwitSettings
import Platform
import Core
import Runtime
import Tracking

/// What a start and a reload alike give the parts of the daemon: all of the settings that count
/// `atReload`.
struct ReloadedParts: Equatable {
  let tracker: TrackerSettings
  let looksForAlerts: Bool
  let alertCommand: AlertCommandSettings
  let deviceName: String?

  init(_ composition: Composition, coarseSources: [CoarseSource], evidenceSources: [String]) {
    let settings = composition.settings
    tracker = composition.trackerSettings(
      coarseSources: coarseSources, evidenceSources: evidenceSources)
    looksForAlerts = settings.alerts.looks
    alertCommand = settings.alerts.command
    deviceName = settings.device.name ?? RunningSystem.hostName
  }

  /// Before a start.
  /// - Returns: what runs the user's command.
  func equip(_ devices: inout Devices) -> CommandSocket {
    let command = CommandSocket(alertCommand)
    devices.noticeCommand = command
    devices.looksForAlerts = looksForAlerts
    return command
  }

  /// - Parameter before: what they have. Tracking goes on as it is where nothing of it has changed:
  ///   a new tracker begins a new session.
  func give(
    to runtime: TrackerRuntime, _ command: CommandSocket, insteadOf before: Self,
    at now: BootInstant
  ) {
    command.settings = alertCommand
    let isNew = tracker != before.tracker
    runtime.take(
      runtime.places.reconfigure(looks: looksForAlerts, isPolicyNew: isNew), at: now)
    if isNew { runtime.reconfigure(tracker, boot: RunningSystem.bootID, at: now) }
    runtime.deviceName = deviceName
  }
}
