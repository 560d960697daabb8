import Notation
import Ports

/// The daemon, asked at its control socket.
public final class ControlSocketDaemon: DaemonPort {
  private let path: String

  public init(path: String) { self.path = path }

  public func ask(_ request: JSONValue) throws(DaemonError) -> JSONValue {
    do throws(ControlError) {
      return try ControlClient.ask(request, path: path)
    } catch {
      throw DaemonError(error.message)
    }
  }
}
