import CSystemd
import Glibc
import Platform
import Ports

/// The socket on which the daemon notifies the uplink: inherited from systemd, or created for the
/// lifetime of the process.
public final class ActivationSocket: WakePort {
  public let name: String
  private let descriptor: Int32
  /// Whether the file is removed with the process.
  private let isOwn: Bool

  /// The socket passed by systemd (sd_listen_fds(3)); nil: none.
  public static func inherited() -> ActivationSocket? {
    let first: Int32 = 3
    guard sd_listen_fds(0) >= 1, sd_is_socket(first, AF_UNIX, Int32(SOCK_DGRAM.rawValue), -1) > 0
    else { return nil }
    _ = fcntl(first, F_SETFL, fcntl(first, F_GETFL) | O_NONBLOCK)
    return ActivationSocket("the socket of the uplink", first, isOwn: false)
  }

  /// Creates a socket. A file left behind by a killed process is replaced.
  public convenience init(at path: String) throws(PortError) {
    guard let address = UnixAddress(path: path) else {
      throw PortError("uplink.socket: \(path) is not a valid path of a socket")
    }
    let flags =
      Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { throw PortError("\(path): \(SystemError.last.text)") }
    if address.connect(descriptor) == nil {
      close(descriptor)
      throw PortError(
        "\(path) is used by another process: godwit uplink runs already, or systemd waits for it "
          + "(godwit-uplink.socket)")
    }
    if FileStatus(path: path)?.kind == .socket { unlink(path) }
    if let error = address.bind(descriptor) {
      close(descriptor)
      throw PortError("uplink.socket: \(path) cannot be created: \(error.text)")
    }
    self.init(path, descriptor, isOwn: true)
  }

  private init(_ name: String, _ descriptor: Int32, isOwn: Bool) {
    self.name = name
    self.descriptor = descriptor
    self.isOwn = isOwn
  }

  deinit {
    close(descriptor)
    if isOwn { unlink(name) }
  }

  public var interest: Interest? { Interest(descriptor) }

  public func drain() -> Set<UplinkNotification> {
    var byte: UInt8 = 0
    var news: Set<UplinkNotification> = []
    // The number is limited, so that a flood cannot block the loop.
    for _ in 0..<1000 {
      guard recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 else { break }
      news.insert(UplinkNotification(rawValue: byte) ?? .records)
    }
    return news
  }
}
