import Glibc

/// Debian's gpsd as a child process, serving one device at a free port.
public final class GpsdProcess {
  public static let program = "/usr/sbin/gpsd"
  public static let isInstalled = access(program, X_OK) == 0

  /// Its control socket, which belongs to this process's user.
  public let control: String
  private let process: ChildProcess

  /// Returns when gpsd listens; nil when it does not start.
  ///
  /// - Parameter options: beyond the usual; `-n` opens the device before a client watches.
  public init?(port: UInt16, device: String, options: [String] = ["-n"]) {
    // gpsd drops its privileges and then has to open the device as user gpsd.
    chmod(device, 0o666)
    control = "/tmp/godwit-gpsd-\(getpid())-\(port).sock"
    unlink(control)
    let arguments = ["-N", "-D", "3", "-S", String(port), "-F", control] + options + [device]
    guard let process = ChildProcess(Self.program, arguments) else { return nil }
    self.process = process
    if !process.says("listening on port") { return nil }
  }

  private var isKilled = false

  /// A killed gpsd leaves its socket's file to the next one.
  deinit { if !isKilled { unlink(control) } }

  /// Kills it by SIGKILL, without any cleanup.
  public func kill() {
    process.signal(SIGKILL)
    _ = process.exitCode()
    isKilled = true
  }

  /// How many descriptors of the device it has open (proc(5)).
  public func openings(of device: String) -> Int {
    let folder = "/proc/\(process.id)/fd"
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var target = [UInt8](repeating: 0, count: 256)
      let length = target.withUnsafeMutableBytes {
        readlink("\(folder)/\(name)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
      }
      if length > 0, String(decoding: target.prefix(length), as: UTF8.self) == device { count += 1 }
    }
    return count
  }

  /// Waits until gpsd's log contains these words, from where the last call left off.
  public func says(_ words: String) -> Bool { process.says(words) }
}
