import GodwitSettings
import Receivers

/// Another program that has the receiver's device open: it would receive part of the bytes.
struct LineHolder {
  /// "gpsd (process 812)".
  let name: String
  private let device: String

  /// Nil when no other program is visible, or when the receiver has no device of its own.
  init?(_ settings: ReceiverSettings) {
    guard settings.hasOwnDevice, let holder = DeviceHolder.find(settings.serial.path) else {
      return nil
    }
    name = holder
    device = settings.serial.path
  }

  var isDaemon: Bool { name.hasPrefix("godwit ") }

  /// The situation and what to do about it.
  var advice: String {
    isDaemon
      ? "\(device) is in use by the daemon (\(name)); stop it first: systemctl stop godwit"
      : "\(device) is also open in \(name), which would receive part of the bytes; stop it. A "
        + "login console: remove console=serial0 from the kernel's command line and disable "
        + "serial-getty. gpsd: set receiver.kind = \"gpsd\""
  }
}
