import Glibc

/// A listener that sends whatever the test wants in place of gpsd.
public final class FakeGpsd {
  public static let banner =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
  public static let watching = #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n"

  private let listener: Int32
  private var client: Int32 = -1
  public let port: UInt16

  /// Connections that fill the queue of a listener that accepts none.
  private var fillers: [Int32] = []

  /// - Parameter hanging: never completes a connection, like a host that drops every packet.
  public init(hanging: Bool = false) {
    (listener, port) = Self.listen(queue: hanging ? 0 : 4)
    // Linux completes one connection more than the queue's length, then leaves them waiting.
    if hanging { fillers = (0..<4).map { _ in Self.startConnecting(port) } }
  }

  deinit {
    hangUp()
    Glibc.close(listener)
    for filler in fillers { Glibc.close(filler) }
  }

  /// A port without a listener.
  public static func freePort() -> UInt16 {
    let (socket, port) = listen()
    Glibc.close(socket)
    return port
  }

  public func accept() -> Bool {
    guard readable(listener) else { return false }
    client = Glibc.accept(listener, nil, nil)
    return client >= 0
  }

  public func say(_ text: String) { say(Array(text.utf8)) }

  /// Sends everything, waiting for buffer space as long as the reader reads.
  @discardableResult public func say(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let taken = bytes[sent...].withUnsafeBytes {
        Glibc.send(
          client, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      if taken <= 0 { break }
      sent += taken
    }
    return sent
  }

  /// The data received up to and including `ending`; everything received if that does not arrive.
  public func heard(until ending: String) -> String {
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(ending) && readable(client, within: 2) {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let got = recv(client, &buffer, buffer.count, 0)
      if got <= 0 { break }
      bytes += buffer.prefix(got)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the other side has closed the connection.
  public func wasLeft() -> Bool {
    var byte: UInt8 = 0
    return readable(client) && recv(client, &byte, 1, 0) <= 0
  }

  public func hangUp() {
    if client >= 0 { Glibc.close(client) }
    client = -1
  }

  private static func listen(queue: Int32 = 4) -> (Int32, UInt16) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var address = loopback(0)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        precondition(bind(socket, $0, length) == 0 && Glibc.listen(socket, queue) == 0)
        precondition(getsockname(socket, $0, &length) == 0)
      }
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  private static func startConnecting(_ port: UInt16) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let socket = Glibc.socket(AF_INET, Int32(kind), 0)
    var address = loopback(port)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return socket
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }
}
