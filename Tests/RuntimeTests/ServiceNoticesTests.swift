import Testing

@testable import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// Messages to a service manager that does not read, and its watchdog.
@Suite struct ServiceNoticesTests {
  /// A manager's socket without a file.
  private final class Manager {
    let name = "@godwit-notices-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)

    init() {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = [0] + Array(name.utf8.dropFirst())
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
      precondition(bound == 0)
    }

    deinit { close(descriptor) }

    func read() -> [String] {
      var heard: [String] = []
      var buffer = [UInt8](repeating: 0, count: 512)
      while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
        heard.append(String(decoding: buffer[..<count], as: UTF8.self))
      }
      return heard
    }
  }

  @Test("notices are received as sent")
  func isReceived() throws {
    let manager = Manager()
    let notices = try ServiceNotices(manager.name, loop: EventLoop())
    notices.notify("READY=1\nSTATUS=well")
    notices.sendWatchdog()
    #expect(manager.read() == ["READY=1\nSTATUS=well", "WATCHDOG=1"])
    #expect(notices.dropped == 0)
  }

  @Test("a manager that does not read blocks nothing, and receives the last state later")
  func isNotWaitedFor() throws {
    let manager = Manager()
    let notices = try ServiceNotices(manager.name, loop: EventLoop())
    var told = 0
    while notices.dropped == 0, told < 10_000 {
      notices.notify("STATUS=\(told)")
      told += 1
    }
    #expect(notices.dropped == 1)
    notices.sendWatchdog()
    #expect(notices.dropped == 2)
    let first = manager.read()
    #expect(first.first == "STATUS=0")
    notices.sendWatchdog()
    #expect(manager.read().suffix(2) == ["STATUS=\(told - 1)", "WATCHDOG=1"])
  }

  @Test(
    "without a manager nothing is sent", arguments: [nil, "", "@", "/", "vsock:2:1", "relative"])
  func nobodyIsThere(name: String?) throws {
    let notices = try ServiceNotices(name, loop: EventLoop())
    notices.notify("READY=1")
    notices.sendWatchdog()
    #expect(notices.dropped == 0 || name == "/")
  }

  @Test("a manager that has gone is not tried again")
  func isGone() throws {
    let notices = try ServiceNotices("/tmp/godwit-no-manager-\(getpid())", loop: EventLoop())
    notices.notify("READY=1")
    #expect(notices.dropped == 1)
  }

  @Test("systemd's variables are read as it writes them")
  func watchdogVariables() {
    func read(_ microseconds: String?, _ process: String? = nil) -> WatchdogPeriod {
      WatchdogPeriod.read(microseconds: microseconds, process: process, own: 42)
    }
    #expect(read(nil) == .none)
    #expect(read(nil, "x") == .none)
    #expect(read("60000000") == .limit(60))
    #expect(read("60000000", "42") == .limit(60))
    #expect(read("60000000", "43") == .none)
    for broken in ["0", "x", "-5", "", "1e6", "5", "18446744073709551615", "9223372036854775807"] {
      guard case .unusable(let why) = read(broken) else {
        Issue.record("\(broken) was taken")
        continue
      }
      #expect(why.contains("WATCHDOG_USEC"))
    }
    for broken in ["", "x", "-1", "0"] {
      guard case .unusable = read("60000000", broken) else {
        Issue.record("process \(broken) was taken")
        continue
      }
    }
  }
}
