import GodwitSettings
import Config

extension DaemonRequirements {
  /// What the system has to provide for a daemon with these settings.
  init(_ settings: Settings) {
    self.init()
    deviceName = settings.device.name
    hasLocalGpsd = settings.receiver.kind == .gpsd && settings.receiver.gpsd.isLocal
    gpsdDevice = settings.receiver.gpsd.device
    if settings.receiver.kind == .gpsd { networkUsers.append("receiver.kind = \"gpsd\"") }
    if settings.network.kind != .none {
      networkUsers.append("network.kind = \"\(settings.network.kind.rawValue)\"")
    }
    // Through the system bus, NetworkManager needs no network access of the daemon.
    if [.automatic, .nl80211].contains(settings.wifi.kind) {
      networkUsers.append("wifi.kind = \"\(settings.wifi.kind.rawValue)\"")
    }
    if settings.lookUp.url != nil { networkUsers.append("lookup.url") }
  }
}
