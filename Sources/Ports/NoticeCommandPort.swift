import Core

/// Runs the user's command for a notice, outside of the daemon and its sandbox. It runs at least
/// once: after a restart, a notice without a result is started again, and the command can recognise
/// it by its id.
///
/// Its interest changes with `begin` and `serve`.
public protocol NoticeCommandPort: EventPort {
  /// Whether a command is configured. A reload of the settings may change it.
  var isSetUp: Bool { get }
  /// Whether another run can be started now.
  var hasRoom: Bool { get }
  /// Starts the command for a notice, and returns at once. Call it when `hasRoom` is true.
  ///
  /// - Throws: why it cannot be started; the command has not run then.
  func begin(_ order: NoticeCommandInput, at now: BootInstant) throws(PortError)
  /// The results of started runs. Each has one result, within a time limit, whatever the command
  /// does.
  /// - Parameter isReady: whether its descriptor is ready, or its state is unknown.
  func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome]
}

/// The data of a notice for the command.
public struct NoticeCommandInput: Hashable, Sendable {
  public struct Fact: Hashable, Sendable {
    /// Capital letters, digits and `_`, beginning with a letter: "PLACE" is the command's variable
    /// `GODWIT_PLACE`. "NOTICE" is reserved for the id.
    public let name: String
    /// Text of any origin. Characters that a variable cannot contain, and those that would break a
    /// line or control a terminal, become U+FFFD; a text that is too long is truncated.
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// 0 to 2^53.
  public let id: Int64
  public let facts: [Fact]

  public init(id: Int64, facts: [Fact]) {
    self.id = id
    self.facts = facts
  }
}

public struct NoticeOutcome: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    /// The command ran, and exited by itself.
    case done(exitStatus: Int)
    /// It could not be started, or was ended by a signal, for example at its time limit; with the
    /// reason.
    case failed(String)
    /// It is unknown whether it ran; with the reason.
    case unanswered(String)
  }

  public let id: Int64
  public let result: Result

  public init(id: Int64, _ result: Result) {
    self.id = id
    self.result = result
  }
}
