import Glibc
import Core
import Platform
import Ports

/// Errors of gpsd and of the connection to it, with what to do about each.
struct GpsdErrorText {
  let settings: GpsdSettings

  var address: String {
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    return "\(host):\(settings.port)"
  }

  /// The port's name.
  var name: String { "gpsd at \(address)" + (settings.device.map { " (\($0))" } ?? "") }

  func checkSettings() throws(PortError) {
    // libgps reads "shared memory" and "DBUS export" as other transports to gpsd.
    let isHost = settings.host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    guard isHost && !settings.host.isEmpty && settings.host.utf8.count <= 253 else {
      throw .refused(
        "\"\(shown(settings.host.utf8))\" is not a host name; set receiver.host to gpsd's "
          + "host, such as localhost")
    }
    if let device = settings.device, !GpsdCommand.isDeviceName(device) {
      throw .refused(
        "\"\(shown(device.utf8))\" is not a device that gpsd can serve; set "
          + "receiver.gpsd_device to its full path, at most \(GpsdCommand.maxDeviceBytes) bytes")
    }
  }

  func unanswered(_ reason: String) -> PortError {
    .missing(
      "\(name) does not answer (\(reason)); start it (systemctl start gpsd) or correct "
        + "receiver.host and receiver.port")
  }

  func notGpsd(_ line: [UInt8]) -> PortError {
    .refused(
      "\(address) is not gpsd: it sent \"\(shown(line))\"; correct receiver.host and "
        + "receiver.port")
  }

  func unserved(_ line: [UInt8]) -> PortError {
    .missing(
      "\(name) does not serve this receiver: \(shown(line)); add it to DEVICES in "
        + "/etc/default/gpsd or with gpsdctl add, or correct receiver.gpsd_device")
  }

  func notAdded(_ device: String) -> PortError {
    .missing(
      "\(name) has not opened \(device) again; check that the receiver is powered and plugged in. "
        + "See journalctl -u gpsd")
  }

  func released(_ device: String) -> PortError {
    .lost(
      "\(name) has released \(device); it is commanded to open it again. See journalctl -u gpsd")
  }

  func acceptsNoCommands(_ error: SystemError) -> PortError {
    .lost("\(name) accepts no commands (\(error.text)); see systemctl status gpsd")
  }

  /// The system had no thread, memory or descriptor for the connection.
  func scarcity(_ error: SystemError) -> PortError {
    if error.code == EAGAIN {
      return .missing(
        "\(name) has not answered several earlier attempts, which still wait; is the host "
          + "reachable?")
    }
    return .missing(
      "\(name) cannot be tried just now (\(error.text)); close other programs or try again"
    )
  }

  func ended(tooLong: Bool, _ error: SystemError) -> PortError {
    if tooLong {
      return .lost(
        "\(name) sent a line of more than 20 kB, which gpsd never does; correct "
          + "receiver.host and receiver.port")
    }
    let reason = error.code == 0 ? "it ended the connection" : error.text
    return .lost(
      "\(name) has disappeared (\(reason)); unless it is restarting, see systemctl status gpsd")
  }

  /// gpsd refused to pass bytes on over the control socket.
  func notPassed(_ count: Int, to device: String) -> String {
    "gpsd did not pass \(Counted.text(count, "byte")) to \(device): it runs with -b "
      + "in GPSD_OPTIONS of "
      + "/etc/default/gpsd, or has not opened the device"
  }

  func uncontrolled(_ socket: String, _ error: SystemError) -> String {
    let what = "gpsd keeps the receiver open while its power is off, and probes the silent line"
    let advice =
      switch error.code {
      case EACCES, EPERM:
        "open it to the group godwit: write [Socket], SocketGroup=godwit and SocketMode=0660 into "
          + "/etc/systemd/system/gpsd.socket.d/godwit.conf and restart gpsd.socket"
      case ENOENT: "correct receiver.gpsd_control, or run gpsd with -F \(socket)"
      default: "see systemctl status gpsd"
      }
    return "\(what): \(socket) cannot be used (\(error.text)); \(advice)"
  }

  func timedOut(_ socket: String, _ device: String) -> String {
    "gpsd did not confirm within \(Int(GpsdControlRequest.timeout.value)) s on \(socket) that it "
      + "has released \(device); it may probe the silent line. See systemctl status gpsd"
  }

  func several(_ devices: [String]) -> String {
    "\(name) serves \(devices.prefix(4).joined(separator: ", ")), so it keeps all of them open "
      + "while the receiver's power is off; set receiver.gpsd_device to the receiver's"
  }

  var nothingServed: String {
    "\(name) serves no receiver yet; add it to DEVICES in /etc/default/gpsd, or name it in "
      + "receiver.gpsd_device"
  }

  /// The beginning of foreign text, safe for a log.
  private func shown(_ bytes: some Collection<UInt8>) -> String {
    TerminalText.ascii(bytes, atMost: 120) + (bytes.count > 120 ? "..." : "")
  }
}
