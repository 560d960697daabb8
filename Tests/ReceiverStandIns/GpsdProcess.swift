import Glibc

/// Debian's gpsd as a child process, serving one device at a free port.
public final class GpsdProcess {
  public static let program = "/usr/sbin/gpsd"
  public static let isInstalled = access(program, X_OK) == 0

  private let process: ChildProcess

  /// Returns when gpsd listens; nil when it does not start.
  public init?(port: UInt16, device: String) {
    // gpsd gives up its privileges and then has to open the device as user gpsd.
    chmod(device, 0o666)
    let arguments = ["-N", "-n", "-D", "3", "-S", String(port), device]
    guard let process = ChildProcess(Self.program, arguments) else { return nil }
    self.process = process
    if !process.says("listening on port") { return nil }
  }

  /// Waits until gpsd's log has these words, from where the last call left off.
  public func says(_ words: String) -> Bool { process.says(words) }
}
