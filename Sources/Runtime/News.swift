import Notation
import Quantities
import Records

/// What `godwit watch` tells while it happens.
enum News {
  /// The newest fix was believed.
  case fix
  case decision(LogEvent)
  /// It began, goes on, or has ended.
  case visit(Visit)
  /// A source of evidence or coarse locations has said something, or cannot.
  case source(String)
}

extension StatusReport {
  /// The first line for those who watch: how things are.
  var asNews: JSONValue {
    .object([("event", .string("status")), ("time", presentTime), ("status", json)])
  }

  /// The last line for those who watch.
  static let farewell = JSONValue.object([("event", .string("ended"))])

  /// One line for those who watch: what happened, under a key of its name.
  func news(_ news: News) -> JSONValue {
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
      }
    return .object([("event", .string(kind)), ("time", presentTime), (kind, value)])
  }
}
