import Core
import Platform
import Ports

/// The daemon, queried over its control socket.
public final class ControlSocketDaemon: DaemonPort {
  /// A daemon that hangs is not queried again for so long: the caller has other work.
  private static let silence: Seconds = 60

  private let path: String
  private let timeout: Seconds
  private var silentUntil: BootInstant?

  public convenience init(path: String) { self.init(path: path, within: ControlClient.timeout) }

  /// - Parameter timeout: for one answer.
  init(path: String, within timeout: Seconds) {
    self.path = path
    self.timeout = timeout
  }

  public func query(_ request: JSONValue) throws(PortError) -> JSONValue {
    let begun = BootClock.now
    if let silentUntil, begun < silentUntil {
      throw PortError("\(path): the daemon has not answered a moment ago")
    }
    do throws(PortError) {
      return try ControlClient.query(request, path: path, within: timeout)
    } catch {
      let now = BootClock.now
      if now - begun >= timeout { silentUntil = now + Self.silence }
      throw PortError(error.message)
    }
  }
}
