import Glibc

/// The address of a Unix domain socket (unix(7)).
public struct UnixAddress {
  /// In bytes; `sun_path` also contains a NUL.
  public static let maxPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private let address: sockaddr_un
  private let length: socklen_t

  /// The address of a socket with a file. Nil if the path is empty or longer than `maxPathLength`.
  public init?(path: String) {
    self.init(Array(path.utf8), terminator: 1)
  }

  /// The form of NOTIFY_SOCKET: an absolute path, or `@` and the name of an abstract socket, which
  /// has no file. Nil for anything else.
  public init?(absolutePathOrName text: String) {
    var name = Array(text.utf8)
    guard name.count > 1 else { return nil }
    switch name[0] {
    case UInt8(ascii: "/"): self.init(name, terminator: 1)
    case UInt8(ascii: "@"):
      name[0] = 0
      self.init(name, terminator: 0)
    default: return nil
    }
  }

  private init?(_ name: [UInt8], terminator: Int) {
    guard (1...Self.maxPathLength).contains(name.count) else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let start = MemoryLayout.size(ofValue: address) - MemoryLayout.size(ofValue: address.sun_path)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    self.address = address
    length = socklen_t(start + name.count + terminator)
  }

  /// An unnamed datagram socket.
  /// - Returns: below 0 on error, with the cause in errno (socket(2)).
  public static func datagramSocket() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  /// - Returns: nil on success. EAGAIN: the listener's queue is full.
  public func connect(_ descriptor: Int32) -> SystemError? {
    withPointer { Glibc.connect(descriptor, $0, length) == 0 ? nil : .last }
  }

  public func bind(_ descriptor: Int32) -> SystemError? {
    withPointer { Glibc.bind(descriptor, $0, length) == 0 ? nil : .last }
  }

  /// Sends one datagram, without waiting.
  public func send(_ bytes: [UInt8], from descriptor: Int32) -> SystemError? {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    return withPointer {
      sendto(descriptor, bytes, bytes.count, flags, $0, length) < 0 ? .last : nil
    }
  }

  private func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}
