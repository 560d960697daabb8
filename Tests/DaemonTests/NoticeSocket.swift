import Foundation
import ReceiverStandIns

/// The other end of sd_notify(3): what systemd would receive.
final class NoticeSocket {
  let path: String
  private let descriptor: Int32
  private(set) var heard: [String] = []

  init(path: String) {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(bound == 0)
  }

  deinit { close(descriptor) }

  /// Waits for a notice that contains these words among those not received yet.
  func says(_ words: String, within seconds: Double = 20) -> Bool {
    while readable(descriptor, within: seconds) {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      heard.append(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self))
      if heard.last?.contains(words) == true { return true }
    }
    return false
  }
}
