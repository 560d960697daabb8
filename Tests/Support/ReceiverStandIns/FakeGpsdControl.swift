import Glibc

/// A control socket that accepts requests and answers what the test wants, or nothing.
public final class FakeGpsdControl {
  public let path = "/tmp/godwit-control-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  private let listener: Int32
  private var client: Int32 = -1

  public init() {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0)
      }
    }
    precondition(listen(listener, 4) == 0)
  }

  deinit {
    hangUp()
    Glibc.close(listener)
    unlink(path)
  }

  /// The next request, read to the end of its connection; nil when there is none, or when the
  /// client keeps the connection open, which would block gpsd.
  public func request(within seconds: Double = 5) -> String? {
    hangUp()
    guard readable(listener, within: seconds) else { return nil }
    client = Glibc.accept(listener, nil, nil)
    var bytes: [UInt8] = []
    while readable(client, within: 2) {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let got = recv(client, &buffer, buffer.count, 0)
      if got == 0 { return String(decoding: bytes, as: UTF8.self) }
      if got < 0 { return nil }
      bytes += buffer.prefix(got)
    }
    return nil
  }

  public func answer(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  public func hangUp() {
    if client >= 0 { Glibc.close(client) }
    client = -1
  }
}
