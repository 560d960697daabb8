import Ports
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Follows a daemon's news beside other work: it is looked for while there is none. Nothing
/// here waits for longer than a tenth of a second.
public final class ControlFollower {
  public enum Update {
    /// The first after it was found says how things are.
    case line(JSONValue)
    /// It was killed, has ended, or closed the connection.
    case lost
  }

  /// From one attempt to the next while nobody answers.
  private static let pause = Seconds(1)
  /// A daemon that is busy is tried again.
  private static let patience = Seconds(0.1)
  /// What there is more waits for the next time.
  private static let mostAtOnce = 1000

  private let path: String
  private var connection: (lines: ControlLineReader, descriptor: Int32)?
  private var due = BootInstant.zero
  /// Why nobody was found when it was last looked; nil: somebody was.
  public private(set) var failure: String?

  public init(path: String) { self.path = path }

  public var isConnected: Bool { connection != nil }

  deinit {
    if let connection { close(connection.descriptor) }
  }

  /// What has been told since the last call, a thousand lines at most.
  public func take() -> [Update] {
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
        ControlRequest.watch.json, to: path, within: Self.patience)
      connection = (ControlLineReader(descriptor, path), descriptor)
      failure = nil
    } catch {
      failure = error.message
    }
  }
}
