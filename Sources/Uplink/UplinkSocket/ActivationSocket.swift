import CSystemd
import Glibc
import Platform
import Ports

/// Where the daemon says to the uplink that something is new: the socket that systemd has handed
/// over, or one that is made for as long as the process runs.
public final class ActivationSocket: WakePort {
  public let name: String
  private let descriptor: Int32
  /// Whether the file goes with the process.
  private let isOwn: Bool

  /// What systemd has handed over (sd_listen_fds(3)); nil: nothing.
  public static func inherited() -> ActivationSocket? {
    let first: Int32 = 3
    guard sd_listen_fds(0) >= 1, sd_is_socket(first, AF_UNIX, Int32(SOCK_DGRAM.rawValue), -1) > 0
    else { return nil }
    _ = fcntl(first, F_SETFL, fcntl(first, F_GETFL) | O_NONBLOCK)
    return ActivationSocket("the socket of the uplink", first, isOwn: false)
  }

  /// Makes one. What a process that was killed has left there is taken away.
  public convenience init(at path: String) throws(PortError) {
    guard let address = UnixAddress(path: path) else {
      throw PortError("uplink.socket: \(path) is no path of a socket")
    }
    let flags =
      Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { throw PortError("\(path): \(SystemError.last.text)") }
    if address.connect(descriptor) == nil {
      close(descriptor)
      throw PortError(
        "\(path) is heard by another process: godwit uplink runs already, or systemd waits for it "
          + "(godwit-uplink.socket)")
    }
    if FileStatus(path: path)?.kind == .socket { unlink(path) }
    if let error = address.bind(descriptor) {
      close(descriptor)
      throw PortError("uplink.socket: \(path) cannot be made: \(error.text)")
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

  public func drain() -> Set<UplinkNews> {
    var byte: UInt8 = 0
    var news: Set<UplinkNews> = []
    // However fast they come, the turn ends.
    for _ in 0..<1000 {
      guard recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 else { break }
      news.insert(UplinkNews(rawValue: byte) ?? .records)
    }
    return news
  }
}
