import GodwitSettings
import Ports
import Receivers
import Runtime

extension Settings {
  /// The receiver for a command that only observes. While the daemon runs, gpsd is not asked to
  /// take the device: the daemon may just have taken it from gpsd and cut its power, and gpsd would
  /// search the dead line.
  var receiverToLookAt: ReceiverSettings {
    var looked = receiver
    if ControlClient.isDaemonThere(path: control.socket) { looked.gpsd.control = nil }
    return looked
  }
}

/// The receiver that the settings describe.
enum ConfiguredReceiver {
  /// Not opened yet; nil when the settings have none.
  ///
  /// - Parameter losesPower: whether the receiver's power is switched while its line is closed.
  static func port(
    _ settings: ReceiverSettings, losesPower: Bool = false
  ) -> (any ReceiverPort)? {
    switch settings.kind {
    case .none: return nil
    case .serial: return SerialReceiver(settings.serial)
    case .gnss: return GnssDeviceReceiver(GnssDeviceSettings(path: settings.serial.path))
    case .gpsd:
      var gpsd = settings.gpsd
      gpsd.givesBack = losesPower
      return GpsdReceiver(gpsd)
    }
  }
}
