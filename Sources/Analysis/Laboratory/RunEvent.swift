import Core

/// An event of a daemon while a run is recorded, on the clock of the recording. A file of events
/// has a line for each, in the format of `godwit watch --json` without unused data.
public struct RunEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// From now on the receiver is in this state; nil: unknown.
    case receiver(state: String?)
    /// A fix was accepted.
    case fix
    /// A visit began, continues, or has ended.
    case visit(id: Int)
    /// A session of the receiver had its first fix, or has ended.
    case session(SessionUpdate)
    /// The end of the recorded events: they are complete.
    case end
  }

  public let instant: BootInstant
  public let kind: Kind

  public init(_ kind: Kind, at instant: BootInstant) {
    self.instant = instant
    self.kind = kind
  }

  /// Nil: the event is not relevant, or has no time.
  /// - Parameter line: of a file of events, or of `godwit watch --json`.
  public init?(_ line: JSONValue) {
    guard let time = line["boottime_s"]?.number, (0..<1e9).contains(time) else { return nil }
    instant = .zero + Seconds(time)
    switch line["event"]?.string {
    case "receiver", "status":
      kind = .receiver(
        state: (line["receiver"]?["state"]?.string).map {
          TerminalText.line(String($0.prefix(Self.maxStateLength)))
        })
    case "fix": kind = .fix
    case "visit":
      guard let id = line["visit"]?["id"]?.integer else { return nil }
      kind = .visit(id: id)
    case "session":
      guard let session = SessionUpdate(line["session"] ?? .null) else { return nil }
      kind = .session(session)
    case "end": kind = .end
    default: return nil
    }
  }

  private static let maxStateLength = 32

  /// A line of the file.
  public var json: JSONValue {
    let (name, more): (String, [(String, JSONValue)]) =
      switch kind {
      case .receiver(let state): ("receiver", [("receiver", .object([("state", .text(state))]))])
      case .fix: ("fix", [])
      case .visit(let id): ("visit", [("visit", .object([("id", .count(id))]))])
      case .session(let session): ("session", [("session", session.json)])
      case .end: ("end", [])
      }
    let head: [(String, JSONValue)] = [
      ("event", .string(name)),
      ("boottime_s", .rounded((instant - .zero).value, digits: 6)),
    ]
    return .object(head + more)
  }
}

/// All events of one run.
public struct RunEvents: Hashable, Sendable {
  /// In the order of time.
  private let events: [RunEvent]

  public init(_ events: [RunEvent]) { self.events = events.sorted { $0.instant < $1.instant } }

  /// Unreadable lines are dropped, such as the last line after a power cut.
  public init(file bytes: [UInt8]) {
    self.init(
      bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
        (try? JSONValue(parsing: Array(line))).flatMap { RunEvent($0) }
      })
  }

  /// The changes of the receiver's state.
  var changes: [StateChange] {
    var changes: [StateChange] = []
    for event in events {
      guard case .receiver(let state) = event.kind, changes.last.map({ $0.state != state }) ?? true
      else { continue }
      changes.append(StateChange(state: state, instant: event.instant))
    }
    return changes
  }

  /// The searches of sessions that had their first fix, or ended, between two moments: a session
  /// that continued with an earlier session's fix, or did not carry out a restart command, is not
  /// counted.
  func searches(from start: BootInstant, to end: BootInstant) -> [Search] {
    var last: [Int: SessionUpdate] = [:]
    for event in events where start <= event.instant && event.instant <= end {
      if case .session(let session) = event.kind { last[session.id] = session }
    }
    return last.sorted { $0.key < $1.key }.compactMap { _, session in
      if let time = session.timeToFirstFix { return .found(time) }
      return session.hasEnded && session.fixes == 0 ? .gaveUp : nil
    }
  }

  /// Whether there were no events.
  public var isEmpty: Bool { events.allSatisfy { $0.kind == .end } }

  /// Whether the events are complete: after a power cut the file has no end.
  var isWhole: Bool { events.last?.kind == .end }

  func fixes(from start: BootInstant, to end: BootInstant) -> Int {
    events.count { $0.kind == .fix && start <= $0.instant && $0.instant <= end }
  }

  /// The number of different visits.
  func visits(from start: BootInstant, to end: BootInstant) -> Int {
    var found: Set<Int> = []
    for event in events where start <= event.instant && event.instant <= end {
      if case .visit(let id) = event.kind { found.insert(id) }
    }
    return found.count
  }
}

/// The state of a session of the receiver.
public struct SessionUpdate: Hashable, Sendable {
  let id: Int
  /// Nil: it has had no fix, or not by a start.
  let timeToFirstFix: Seconds?
  let fixes: Int
  let outcome: String

  var hasEnded: Bool { outcome != Self.open }

  private static let open = "open"

  init?(_ json: JSONValue) {
    guard let id = json["id"]?.integer else { return nil }
    self.id = id
    timeToFirstFix = json["ttff_s"]?.number.flatMap { (0..<1e6).contains($0) ? Seconds($0) : nil }
    fixes = json["fixes_accepted"]?.integer ?? 0
    outcome = String((json["outcome"]?.string ?? Self.open).prefix(32))
  }

  var json: JSONValue {
    .object([
      ("id", .count(id)), ("outcome", .string(outcome)),
      ("ttff_s", .rounded(timeToFirstFix?.value, digits: 3)), ("fixes_accepted", .count(fixes)),
    ])
  }
}

/// The result of one search for satellites.
enum Search: Hashable, Sendable {
  /// - Parameter _: the time to first fix.
  case found(Seconds)
  case gaveUp
}
