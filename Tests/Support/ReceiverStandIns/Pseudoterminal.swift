import CLinux
import Glibc

/// Both ends of a serial line: the test is the receiver at the master's end, and the daemon opens
/// the other end through a symbolic link, as udev makes one.
public final class Pseudoterminal {
  public let master: Int32
  /// The device itself, which changes when the receiver is plugged in again.
  public let path: String
  /// The permanent name.
  public let link: String

  public init(link: String? = nil) {
    var ends: (master: Int32, slave: Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 64)
    precondition(openpty(&ends.master, &ends.slave, &name, nil, nil) == 0)
    Glibc.close(ends.slave)
    master = ends.master
    precondition(fcntl(master, F_SETFD, FD_CLOEXEC) == 0 && fcntl(master, F_SETFL, O_NONBLOCK) == 0)
    path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    self.link = link ?? Self.freshLink()
    unlink(self.link)
    precondition(symlink(path, self.link) == 0)
  }

  /// Unplugs it.
  deinit {
    Glibc.close(master)
    unlink(link)
  }

  public static func freshLink() -> String {
    "/tmp/godwit-line-\(getpid())-\(UInt64.random(in: 0 ... .max))"
  }

  /// The device's settings, which both ends share.
  public var settings: termios {
    var settings = termios()
    precondition(tcgetattr(master, &settings) == 0)
    return settings
  }

  public func send(_ bytes: [UInt8]) {
    let sent = Glibc.write(master, bytes, bytes.count)
    precondition(sent == bytes.count, "the pseudo-terminal took \(sent) of \(bytes.count) bytes")
  }

  /// Sends what the line accepts, which without a reader is soon nothing. Returns the number of
  /// bytes.
  @discardableResult
  public func offer(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    return max(0, Glibc.write(master, bytes, bytes.count))
  }

  /// Everything that the daemon's end has sent so far.
  public func received(limit: Int = 65_536) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let got = Glibc.read(master, &buffer, limit)
    return Array(buffer.prefix(max(got, 0)))
  }
}

/// Waits until the descriptor is readable; false after `seconds`, times `timeFactor`.
public func readable(_ descriptor: Int32?, within seconds: Double = 5) -> Bool {
  guard let descriptor else { return false }
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, Int32(seconds * timeFactor * 1000)) > 0
}
