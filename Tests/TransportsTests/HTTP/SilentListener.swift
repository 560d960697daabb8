import Glibc
import Testing

/// Accepts connections, and never sends anything.
final class SilentListener {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 8) == 0
          && getsockname(socket, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(isBound)
  }

  deinit { close(descriptor) }
}
