import Glibc
import Platform
import Ports
import Core

/// Has the user's command run by another process, which systemd starts for each connection to a
/// socket (godwit-alert.socket): outside the daemon's sandbox and memory.
///
/// One notice at a time, in order: two instances of the command never run at once, and the actions
/// for an arrival end before those for the departure begin. A thousand alerts, or a command that
/// hangs, delay other notices and nothing else.
public final class CommandSocket: NoticeCommandPort {
  /// Beyond the command's own timeout: for the process to start on a busy board, and for a command
  /// that does not end to be killed.
  static let margin: Seconds = 30

  /// A notice in progress keeps the settings with which it began.
  public var settings: AlertCommandSettings
  private var connection: CommandConnection?
  /// Timeout of the notice in progress.
  private var timeout: Seconds = 0
  private var openings = 0

  public init(_ settings: AlertCommandSettings) { self.settings = settings }

  public var name: String { "alerts.command at \(settings.socket)" }
  public var isSetUp: Bool { !settings.words.isEmpty }

  public var hasRoom: Bool { connection == nil }

  public var interest: Interest? {
    connection.map { Interest($0.descriptor, opening: openings, writes: $0.hasUnsent) }
  }

  public var due: BootInstant? { connection?.deadline }

  public func begin(_ order: NoticeCommandInput, at now: BootInstant) throws(PortError) {
    guard connection == nil else {
      throw .unavailable(
        "\(settings.socket): the command for another notice is running; wait for its end")
    }
    let request: CommandRequest
    do throws(CommandRequest.Fault) {
      request = try CommandRequest(order, timeout: settings.timeout)
    } catch {
      throw .refused("notice \(order.id): \(error.text)")
    }
    timeout = settings.timeout + Self.margin
    connection = try CommandConnection(
      to: settings.socket, sending: request, deadline: now + timeout)
    openings += 1
  }

  public func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome] {
    guard let connection else { return [] }
    var result = isReady ? connection.exchange() : nil
    if result == nil, now >= connection.deadline {
      result = .unanswered(
        "\(connection.socket): no answer for \(timeout.inWords); \(CommandConnection.advice)")
    }
    guard let result else { return [] }
    self.connection = nil
    return [NoticeOutcome(id: connection.id, result)]
  }
}
