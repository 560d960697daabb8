import GodwitSettings
import Receivers

/// Another program that has the receiver's device open: it would take a part of the bytes.
struct LineHolder {
  /// "gpsd (process 812)".
  let name: String
  private let device: String

  /// Nil when nobody can be seen, or when the receiver is on no device of its own.
  init?(_ settings: ReceiverSettings) {
    guard settings.hasOwnDevice, let holder = DeviceHolder.find(settings.serial.path) else {
      return nil
    }
    name = holder
    device = settings.serial.path
  }

  var isDaemon: Bool { name.hasPrefix("godwit ") }

  /// What is the case and what to do about it.
  var advice: String {
    isDaemon
      ? "\(device) is in the daemon's hands (\(name)); stop it first: systemctl stop godwit"
      : "\(device) is also open in \(name), which would take a part of the bytes; stop it. A login "
        + "console: remove console=serial0 from the kernel's command line and disable "
        + "serial-getty. gpsd: set receiver.kind = \"gpsd\""
  }
}
