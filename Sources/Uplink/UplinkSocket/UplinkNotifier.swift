import Glibc
import Platform
import Ports

/// Notifies the uplink: one datagram of one byte, to the socket by which systemd starts its process
/// (godwit-uplink.socket).
public final class UplinkNotifier: UplinkCallPort {
  public let name: String

  public init(_ path: String) { name = path }

  public func notify(_ news: UplinkNotification) throws(PortError) {
    guard let address = UnixAddress(path: name) else {
      throw PortError("uplink.socket: \(name) is not a valid path of a socket")
    }
    let descriptor = UnixAddress.datagramSocket()
    guard descriptor >= 0 else { throw failure(.last) }
    defer { close(descriptor) }
    guard let error = address.send([news.rawValue], from: descriptor) else { return }
    // Its queue is full, so it has been notified of records already.
    guard error.code != EAGAIN || news != .records else { return }
    throw failure(error)
  }

  private func failure(_ error: SystemError) -> PortError {
    let isAbsent = error.code == ENOENT || error.code == ECONNREFUSED
    return PortError(
      "new records cannot be announced to the uplink: \(name): \(error.text)"
        + (isAbsent ? "; systemctl enable --now godwit-uplink.socket" : ""))
  }
}
