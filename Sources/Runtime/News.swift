import Core
import Records

/// The events of `godwit watch`.
enum News {
  /// The newest fix was accepted.
  case fix
  case decision(LogEvent)
  /// A visit began, goes on, or has ended.
  case visit(Visit)
  /// A source of evidence or coarse locations has delivered something, or has failed.
  case source(String)
  /// The receiver has changed its power state.
  case receiver
  /// The session has had its first fix, or has ended.
  case session(GnssSession)
}

extension StatusReport {
  /// The first line for subscribers: the present status.
  var statusEvent: JSONValue {
    .object(
      head("status", at: now) + [("receiver", receiverState), ("status", json)])
  }

  /// The last line for subscribers.
  static let farewell = JSONValue.object([("event", .string("ended"))])

  /// One line for subscribers: the event, under a key of its name.
  /// - Parameter instant: the time of the event.
  func eventLine(_ news: News, at instant: BootInstant) -> JSONValue {
    let (kind, value): (String, JSONValue) =
      switch news {
      case .fix: ("fix", fix)
      case .decision(let logEvent):
        (
          "decision",
          .object([
            ("kind", .string(logEvent.kind)), ("reason", .string(logEvent.reason)),
            ("level", .string(logEvent.level.rawValue)),
          ])
        )
      case .visit(let visit): ("visit", describe(visit))
      case .source(let name): ("source", source(name))
      case .receiver: ("receiver", receiverState)
      case .session(let session): ("session", Self.describe(session))
      }
    return .object(head(kind, at: instant) + [(kind, value)])
  }

  /// Dates may be corrected; the boot clock is monotonic, and current recordings use it.
  private func head(_ kind: String, at instant: BootInstant) -> [(String, JSONValue)] {
    [
      ("event", .string(kind)), ("time", presentTime),
      ("boottime_s", .rounded((instant - .zero).value, digits: 6)),
    ]
  }

  private static func describe(_ session: GnssSession) -> JSONValue {
    .object([
      ("id", .count(session.id)), ("outcome", .string(session.outcome.rawValue)),
      ("restart", .text(session.restart?.rawValue)),
      ("ttff_s", .rounded(session.timeToFirstFix?.value, digits: 3)),
      ("fixes_accepted", .count(session.fixesAccepted)),
    ])
  }

  private var receiverState: JSONValue {
    .object([("state", .string(runtime.energy.state.rawValue))])
  }
}
