import Core

/// Runs the user's command for a notice, outside of the daemon and of its sandbox. It happens at
/// least once: a notice without an outcome, as after a restart, is begun again, and the command
/// knows it by its id.
///
/// What it waits for changes with `begin` and `serve`.
public protocol NoticeCommandPort: EventPort {
  /// Whether there is a command at present. Settings that are reloaded may change it.
  var isSetUp: Bool { get }
  /// Whether another can be begun now.
  var hasRoom: Bool { get }
  /// Hands a notice over. Returns at once. To be called when there is room.
  ///
  /// - Throws: why it cannot be begun; then the command has not run for it.
  func begin(_ order: NoticeOrder, at now: BootInstant) throws(PortError)
  /// What has become of those that were begun; each has one outcome, and in time, whatever the
  /// command does.
  /// - Parameter isReady: whether its descriptor is, or there is no telling.
  func serve(at now: BootInstant, isReady: Bool) -> [NoticeOutcome]
}

/// What the command is told of a notice.
public struct NoticeOrder: Hashable, Sendable {
  public struct Fact: Hashable, Sendable {
    /// Capital letters, digits and `_`, the first a letter: "PLACE" is the command's variable
    /// `GODWIT_PLACE`. "NOTICE" is taken: the id.
    public let name: String
    /// Text of any origin. What no variable may contain, and what would break a line or steer a
    /// terminal, becomes U+FFFD; the end of one that is too long is missing.
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
    /// The command ran, and ended by itself.
    case done(exitStatus: Int)
    /// It could not be started, or it was ended by a signal, such as when its time was over: why.
    case failed(String)
    /// Nobody knows whether it ran: why.
    case unanswered(String)
  }

  public let id: Int64
  public let result: Result

  public init(id: Int64, _ result: Result) {
    self.id = id
    self.result = result
  }
}
