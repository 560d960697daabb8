import Delivery
import GodwitSettings
import Platform

extension UplinkBoard {
  init(_ settings: Settings) {
    self.init(
      settings.device.name ?? RunningSystem.hostName, of: settings.uplink.user,
      version: Godwit.configuration.version)
  }
}
