import Foundation
import ReceiverStandIns

/// The system bus inside the kernel, and services on it.
enum SystemBus {
  static func start() throws -> ChildProcess {
    try FileManager.default.createDirectory(
      atPath: "/run/dbus", withIntermediateDirectories: false)
    let bus = try service("dbus-daemon", "exec dbus-daemon --system --nofork --nopidfile")
    sleep(1)
    return bus
  }

  /// - Parameter command: runs in its own mount namespace; its output is among the results.
  static func service(_ name: String, _ command: String) throws -> ChildProcess {
    try ChildProcess(
      "/usr/bin/unshare", ["-m", "sh", "-c", "\(command) >>\(Bench.results)/\(name).log 2>&1"]
    ).required("\(name) does not start")
  }
}
