import Foundation

/// Clients of the control socket that send nothing; they stay connected as long as this object
/// lives.
final class Crowd {
  private var clients: [Int32] = []

  init(_ path: String, _ count: Int) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    for _ in 0..<count {
      let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      clients.append(client)
      // Waits while the daemon's queue is full.
      var timeout = timeval(tv_sec: 5, tv_usec: 0)
      setsockopt(
        client, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
      let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
  }

  deinit { for client in clients { close(client) } }
}
