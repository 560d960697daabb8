import GodwitSettings
import Config
import Hardware

extension DaemonRequirements {
  /// What the system has to provide for a daemon with these settings.
  init(_ settings: Settings) {
    self.init()
    deviceName = settings.device.name
    hasLocalGpsd = settings.receiver.kind == .gpsd && settings.receiver.gpsd.isLocal
    gpsdDevice = settings.receiver.gpsd.device
    if settings.receiver.kind == .gpsd { networkUsers.append("receiver.kind = \"gpsd\"") }
    networkUsers += EvidenceSourceCatalogue.all.compactMap { $0.networkUse(settings.sources) }
  }
}
