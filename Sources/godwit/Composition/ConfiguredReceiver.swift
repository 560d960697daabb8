import Config
import Ports
import Receivers
import Runtime

extension Settings {
  /// The receiver for a command that only looks. While the daemon runs, gpsd is not asked to take
  /// the device: the daemon may just have taken it from gpsd and cut its power, and gpsd would
  /// search the dead line.
  var receiverToLookAt: Receiver {
    var looked = receiver
    if ControlClient.isDaemonThere(path: control.socket) { looked.gpsdControl = "" }
    return looked
  }
}

/// The receiver that the settings describe.
enum ConfiguredReceiver {
  /// Closed; nil when the settings want none.
  ///
  /// - Parameter losesPower: whether somebody switches the receiver's power while it is closed.
  static func port(
    _ settings: Settings.Receiver, losesPower: Bool = false
  ) -> (any ReceiverPort)? {
    switch settings.kind {
    case .none: nil
    case .serial:
      SerialReceiver(
        SerialSettings(
          path: settings.device, baud: settings.baud == 0 ? nil : settings.baud))
    case .gnss: GnssDeviceReceiver(GnssDeviceSettings(path: settings.device))
    case .gpsd:
      GpsdReceiver(
        GpsdSettings(
          host: settings.host, port: UInt16(clamping: settings.port),
          device: settings.gpsdDevice.isEmpty ? nil : settings.gpsdDevice,
          control: settings.gpsdControl.isEmpty ? nil : settings.gpsdControl,
          givesBack: losesPower))
    }
  }
}
