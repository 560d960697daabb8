import AlertCommand
import GodwitSettings
import Platform
import Quantities
import Runtime
import Tracking

/// What a reload gives the parts of a running daemon: all that it takes of the settings again.
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

  func give(to runtime: TrackerRuntime, _ command: CommandSocket, at now: BootInstant) {
    command.settings = alertCommand
    runtime.take(runtime.places.reconfigure(looks: looksForAlerts), at: now)
    runtime.reconfigure(tracker, boot: RunningSystem.bootID, at: now)
    runtime.deviceName = deviceName
  }
}
