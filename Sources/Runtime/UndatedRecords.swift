import Records
import Core

/// Records from before the receiver first reported the date. A board without a real-time clock
/// starts in 1970, or at the time it was switched off; records until the first fix are held here,
/// and are dated afterwards.
struct UndatedRecords {
  /// A day without any signal makes about a hundred sessions.
  static let maxCount = 1000

  private enum Held {
    case record(any StoredRecord, at: BootInstant)
    case interval(StateInterval)
  }

  private var held: [Held] = []
  /// Since when something is held.
  private(set) var since: BootInstant?
  /// Dropped because too many waited, and not counted by the caller yet.
  private var dropped = 0

  var isEmpty: Bool { held.isEmpty }

  /// Holds the record if it needs a date; returns false if it can be stored as it is.
  mutating func hold(_ record: Record, at now: BootInstant) -> Bool {
    guard case .keep(let row) = record.request, row.needsDate else { return false }
    if let identity = row.identity {
      held.removeAll {
        if case .record(let earlier, _) = $0 { earlier.identity == identity } else { false }
      }
    }
    add(.record(row, at: now), at: now)
    return true
  }

  mutating func hold(_ interval: StateInterval, at now: BootInstant) {
    add(.interval(interval), at: now)
  }

  /// Adapts the records to another store's ids.
  mutating func renumber(by shift: Renumbering) {
    held = held.map { one in
      guard case .record(let record, let at) = one else { return one }
      return .record(record.renumbered(by: shift), at: at)
    }
  }

  private mutating func add(_ one: Held, at now: BootInstant) {
    since = since ?? now
    if held.count >= Self.maxCount {
      held.removeFirst(Self.maxCount / 10)
      dropped += Self.maxCount / 10
    }
    held.append(one)
  }

  /// How many were dropped since the last call.
  mutating func drainDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Returns everything, dated by `date`. A segment needs a date; the others are kept without one
  /// if it never becomes known.
  mutating func release(date: (BootInstant) -> UTCInstant?) -> [Record] {
    defer {
      held.removeAll()
      since = nil
    }
    return held.compactMap { one in
      switch one {
      case .interval(let interval):
        return date(interval.start).map { .powerSegment(PowerSegment(interval, start: $0)) }
      case .record(let record, let at): return record.dated(at: at, by: date).record
      }
    }
  }
}
