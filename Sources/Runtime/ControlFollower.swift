import Ports
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Follows a daemon's events beside other work, and reconnects while there is none. No call blocks
/// for longer than a tenth of a second.
public final class ControlFollower {
  public enum Update {
    /// The first line after connecting reports the status.
    case line(JSONValue)
    /// The daemon was killed, has ended, or closed the connection.
    case lost
  }

  /// Between two attempts to connect.
  private static let pause = Seconds(1)
  /// The timeout of one attempt; a busy daemon is tried again.
  private static let timeout = Seconds(0.1)
  /// More lines wait for the next call.
  private static let mostAtOnce = 1000

  private let path: String
  private var connection: (lines: ControlLineReader, descriptor: Int32)?
  private var due = BootInstant.zero
  /// Why the last attempt to connect failed; nil: it succeeded.
  public private(set) var failure: String?

  public init(path: String) { self.path = path }

  public var isConnected: Bool { connection != nil }

  deinit {
    if let connection { close(connection.descriptor) }
  }

  /// The updates since the last call, a thousand lines at most.
  public func updates() -> [Update] {
    var news: [Update] = []
    if connection == nil { connect() }
    guard let descriptor = connection?.descriptor, var lines = connection?.lines else { return [] }
    var isOpen = true
    do throws(PortError) {
      while news.count < Self.mostAtOnce, let line = try lines.nextIfThere(isOpen: &isOpen) {
        news.append(.line(try ControlClient.parse(line, path)))
      }
    } catch {
      failure = error.message
      isOpen = false
    }
    connection = (lines, descriptor)
    if !isOpen {
      close(descriptor)
      connection = nil
      news.append(.lost)
    }
    return news
  }

  private func connect() {
    let now = BootClock.now
    guard now >= due else { return }
    due = now + Self.pause
    do throws(PortError) {
      let descriptor = try ControlClient.send(
        ControlRequest.watch.json, to: path, within: Self.timeout)
      connection = (ControlLineReader(descriptor, path), descriptor)
      failure = nil
    } catch {
      failure = error.message
    }
  }
}
