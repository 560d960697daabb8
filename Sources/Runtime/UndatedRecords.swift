import Energy
import Quantities
import Records

/// Records of the time before the receiver first told the date. A board without a real-time clock
/// starts in 1970; what happens until the first fix is held here, and gets its date afterwards.
struct UndatedRecords {
  /// A day under a hopeless sky makes about a hundred sessions.
  static let most = 1000

  private enum Held {
    case record(Record, at: BootInstant)
    case interval(StateInterval)
  }

  private var held: [Held] = []
  /// Given up because too many waited, and not told of yet.
  private var dropped = 0

  var isEmpty: Bool { held.isEmpty }

  /// Takes the record if it is one that needs a date; false if it can be stored as it is.
  mutating func hold(_ record: Record, at now: BootInstant) -> Bool {
    switch record {
    case .session(let session):
      held.removeAll {
        if case .record(.session(let earlier), _) = $0 { earlier.id == session.id } else { false }
      }
    case .event(_, time: nil): break
    default: return false
    }
    add(.record(record, at: now))
    return true
  }

  mutating func hold(_ interval: StateInterval) { add(.interval(interval)) }

  /// The store that takes them has ids of its own.
  mutating func renumber(by shift: Renumbering) {
    held = held.map { one in
      guard case .record(let record, let at) = one else { return one }
      return .record(shift(record), at: at)
    }
  }

  private mutating func add(_ one: Held) {
    if held.count >= Self.most {
      held.removeFirst(Self.most / 10)
      dropped += Self.most / 10
    }
    held.append(one)
  }

  /// How many were given up since the last call.
  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Gives everything back, with the dates that `date` knows. A segment needs one; the others are
  /// kept without when it is never learnt.
  mutating func release(date: (BootInstant) -> UTCInstant?) -> [Record] {
    defer { held.removeAll() }
    return held.compactMap { one in
      switch one {
      case .interval(let interval):
        return date(interval.start).map { .powerSegment(PowerSegment(interval, start: $0)) }
      case .record(.event(let note, _), let at): return .event(note, time: date(at))
      case .record(.session(var session), let at):
        session.on = session.on ?? date(at - (session.duration ?? 0))
        if session.duration != nil { session.off = session.off ?? date(at) }
        return .session(session)
      case .record(let record, _): return record
      }
    }
  }
}
