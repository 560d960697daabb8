import Glibc
import ReceiverStandIns
import TestSupport

/// Debian's mosquitto as a child process on a free port, with a folder of its own.
public final class MosquittoProcess {
  private static let program = "/usr/sbin/mosquitto"
  /// The size of the unread log, in bytes: when it is full, mosquitto blocks and answers no client.
  private static let logRoom: Int32 = 1 << 20
  public static let isInstalled = access(program, X_OK) == 0

  public let port: UInt16
  private let folder: ScratchFolder
  private let process: ChildProcess

  /// Returns when it listens; nil when it does not start.
  ///
  /// - Parameters:
  ///   - port: used if it is free; 0: any free port.
  ///   - settings: lines of mosquitto.conf(5) in addition to the port and the log.
  ///   - folder: with the files that the settings name.
  public init?(
    port: UInt16 = 0, _ settings: [String] = ["allow_anonymous true"], in folder: ScratchFolder
  ) throws {
    self.folder = folder
    self.port = port == 0 ? FakeGpsd.freePort() : port
    let user = try run("id", "-un").output.filter { $0 != "\n" }
    let lines = [
      "listener \(self.port) 127.0.0.1", "user \(user)", "log_dest stderr", "log_type all",
    ]
    let name = "mosquitto-\(self.port).conf"
    try folder.write((lines + settings).joined(separator: "\n") + "\n", to: name)
    guard
      let process = ChildProcess(Self.program, ["-c", folder.file(name)], room: Self.logRoom)
    else { return nil }
    self.process = process
    guard process.says(" running") else { return nil }
  }

  public func kill() {
    process.signal(SIGKILL)
    _ = process.exitCode()
  }

  /// Drains its log, so that there is room for more.
  public func readLog() { _ = process.text }

  /// Waits until its log contains these words, from where the last call left off.
  public func says(_ words: String) -> Bool { process.says(words) }
}
