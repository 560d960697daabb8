/// Gives records of one run ids above those of a store that was written by others.
public struct Renumbering: Hashable, Sendable {
  public let visits: Int64
  public let destinations: Int64
  public let sessions: Int64

  /// JSON can hold whole numbers up to twice this.
  private static let highest: Int64 = 1 << 52

  /// Every id rises by the highest of its kind that is in use; ids begin at 1. Nil when the sums
  /// would be no numbers for JSON any more.
  public init?(aboveVisit visit: Int64, destination: Int64, session: Int64) {
    guard max(visit, destination, session) <= Self.highest else { return nil }
    visits = max(0, visit)
    destinations = max(0, destination)
    sessions = max(0, session)
  }

  public func callAsFunction(_ record: Record) -> Record {
    switch record {
    case .trackPoint(var point):
      point.session = point.session.map { $0 + sessions }
      return .trackPoint(point)
    case .visit(let visit): return .visit(self(visit))
    case .visitWithdrawn(let id): return .visitWithdrawn(id: id + visits)
    case .destination(let destination): return .destination(self(destination))
    case .session(var session):
      session.id += sessions
      return .session(session)
    case .trackPointReplaced, .coarse, .powerSegment, .event, .trackerState: return record
    }
  }

  public func callAsFunction(_ visit: Visit) -> Visit {
    var visit = visit
    visit.id += visits
    visit.destination = visit.destination.map { $0 + destinations }
    return visit
  }

  public func callAsFunction(_ destination: Destination) -> Destination {
    var destination = destination
    destination.id += destinations
    return destination
  }
}
