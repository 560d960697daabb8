import Glibc
import Platform
import Ports
import Quantities

/// Has the user's command run by another process, which systemd starts for each connection to a
/// socket (godwit-alert.socket): outside of the daemon's sandbox and memory.
///
/// One notice at a time, in order: the command need not cope with a second of itself, and what
/// follows from an arrival is done before what follows from the departure. A thousand alerts, or a
/// command that hangs, make others wait and nothing else.
public final class CommandSocket: NoticeCommandPort {
  /// Beyond the command's own time: until the process has started on a busy board, and until a
  /// command that does not want to end has been killed.
  static let margin: Seconds = 30

  public let name: String
  private let socket: String
  private let patience: Seconds
  private var connection: CommandConnection?
  private var openings = 0

  /// Nil: the settings name no command.
  public init?(_ settings: AlertCommandSettings) {
    guard !settings.words.isEmpty else { return nil }
    socket = settings.socket
    name = "alerts.command at \(socket)"
    patience = settings.timeout + Self.margin
  }

  public var hasRoom: Bool { connection == nil }

  public var interest: Interest? {
    connection.map { Interest($0.descriptor, opening: openings, writes: $0.hasUnsent) }
  }

  public var due: BootInstant? { connection?.deadline }

  public func begin(_ order: NoticeOrder, at now: BootInstant) throws(NoticeCommandError) {
    guard connection == nil else {
      throw .unavailable("\(socket): the command for another notice is under way; wait for its end")
    }
    let request: CommandRequest
    do throws(CommandRequest.Fault) {
      request = try CommandRequest(order)
    } catch {
      throw .refused("notice \(order.id): \(error.text)")
    }
    connection = try CommandConnection(
      to: socket, sending: request, deadline: now + patience)
    openings += 1
  }

  public func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome] {
    guard let connection else { return [] }
    var result = isReady ? connection.exchange() : nil
    if result == nil, now >= connection.deadline {
      result = .unanswered(
        "\(socket): no answer for \(patience.inWords); \(CommandConnection.advice)")
    }
    guard let result else { return [] }
    self.connection = nil
    return [NoticeOutcome(id: connection.id, result)]
  }
}
