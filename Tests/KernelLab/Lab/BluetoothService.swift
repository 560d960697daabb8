import Foundation
import ReceiverStandIns

/// BlueZ's bluetoothd as Debian starts it, or with experimental features enabled.
final class BluetoothService {
  private let bus: ChildProcess
  private var process: ChildProcess?

  /// Starts only the bus, and loads the kernel's Bluetooth support, without which bluetoothd does
  /// not start (adapter.c, adapter_init).
  init() throws {
    try tool("modprobe", "-d", Bench.kernel, "bluetooth")
    try tool("mount", "-t", "tmpfs", "tmpfs", "/var/lib/bluetooth")
    bus = try SystemBus.start()
  }

  func start(isExperimental: Bool) throws {
    process = try SystemBus.service(
      "bluetoothd",
      "exec /usr/libexec/bluetooth/bluetoothd -n \(isExperimental ? "-E" : "")")
  }

  func kill() throws {
    process?.signal(SIGKILL)
    _ = try process?.exitCode(within: 5).required("bluetoothd survives SIGKILL")
    process = nil
  }

  /// Whether the adapter reports that it is discovering.
  func isDiscovering() throws -> Bool {
    try property("Get", "string:Discovering").contains("boolean true")
  }

  func setPower(_ isOn: Bool) throws {
    _ = try property("Set", "string:Powered variant:boolean:\(isOn)")
  }

  private func property(_ method: String, _ arguments: String) throws -> String {
    try tool(
      "sh", "-c",
      "dbus-send --system --print-reply --dest=org.bluez /org/bluez/hci0 "
        + "org.freedesktop.DBus.Properties.\(method) string:org.bluez.Adapter1 \(arguments)")
  }
}
