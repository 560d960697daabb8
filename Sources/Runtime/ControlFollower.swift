import Notation
import Platform
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Follows a daemon's news beside other work: it is looked for while there is none, and nothing
/// here waits.
public final class ControlFollower {
  public enum News {
    /// The first after it was found says how things are.
    case line(JSONValue)
    /// It was killed, has ended, or closed the connection.
    case lost
  }

  /// From one attempt to the next while nobody answers.
  private static let pause = Seconds(1)
  /// A daemon that is busy is tried again.
  private static let patience = Seconds(0.1)

  private let path: String
  private var connection: (lines: ControlLineReader, descriptor: Int32)?
  private var due = BootInstant.zero

  public init(path: String) { self.path = path }

  deinit {
    if let connection { close(connection.descriptor) }
  }

  /// What has been told since the last call.
  public func take() -> [News] {
    var news: [News] = []
    if connection == nil { connect() }
    guard let descriptor = connection?.descriptor, var lines = connection?.lines else { return [] }
    var isOpen = true
    do throws(ControlError) {
      while let line = try lines.nextIfThere(isOpen: &isOpen) {
        news.append(.line(try ControlClient.parse(line, path)))
      }
    } catch {
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
    guard
      let descriptor = try? ControlClient.send(
        ControlRequest.watch.json, to: path, within: Self.patience)
    else { return }
    connection = (ControlLineReader(descriptor, path), descriptor)
  }
}
