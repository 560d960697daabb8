import Records
import Core

/// Attributes the charge of a recording to the states during it.
///
/// Between two readings of one period of a state the current is interpolated linearly. From the
/// last reading of a period to the change, and from the change to the first reading of the next
/// period, it is assumed constant: a linear interpolation across the change would charge the state
/// with the lower current for the one with the higher, many times its own current. For the same
/// reason a reading whose conversion began before the change, and may contain both states, is
/// assigned to neither. So the states together have slightly less charge than the recording: the
/// charge at the changes themselves, such as an inrush, remains.
struct StateMeter {
  private let changes: [StateChange]
  /// A reading is the mean of a conversion that began up to twice its duration before: the chip
  /// keeps the last complete one.
  private let memory: Seconds
  /// The index of the next change.
  private var next = 0
  private var state: String?
  private var last: PowerReading?
  private var isBroken = false
  /// Whether the present period has been counted.
  private var isCounted = false
  private var charges: [String: StateCharge] = [:]

  /// - Parameters:
  ///   - changes: in the order of time.
  ///   - window: the duration of one conversion.
  init(_ changes: [StateChange], window: Seconds) {
    self.changes = changes
    memory = window * 2
  }

  /// A receiver has five.
  private static let mostStates = 32
  private static let other = "other"
  /// For the time in which the state was unknown.
  private static let unknown = "unknown"

  /// By the state's name.
  var result: [(state: String, charge: StateCharge)] {
    charges.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// - Parameters:
  ///   - reading: later than the one before, on the clock of the changes.
  ///   - isAfterGap: whether time is missing between the two.
  mutating func add(_ reading: PowerReading, isAfterGap: Bool) {
    if isAfterGap { isBroken = true }
    let latest = indexOfChange(after: reading.taken)
    // It may contain part of the previous state.
    if latest > 0, changes[latest - 1].instant > reading.taken - memory { return }
    defer {
      last = reading
      isBroken = false
      note(reading)
    }
    guard let before = last else {
      pass(latest)
      return
    }
    guard latest > next else { return add(before, reading, reading.taken - before.taken) }
    // The state before the change, the intermediate ones, and the present one.
    add(before, before, changes[next].instant - before.taken)
    while next + 1 < latest {
      pass(next + 1)
      let time = changes[next].instant - changes[next - 1].instant
      if isBroken { edit { $0.missing += time } } else { edit { $0.unresolved += time } }
      count()
    }
    pass(latest)
    add(reading, reading, reading.taken - changes[latest - 1].instant)
  }

  /// The state of a reading; nil if it is unknown, or the reading may contain the previous state.
  /// - Parameter instant: not before the last reading.
  func state(at instant: BootInstant) -> String? {
    let latest = indexOfChange(after: instant)
    guard latest > 0, changes[latest - 1].instant <= instant - memory else { return nil }
    return changes[latest - 1].state
  }

  private func indexOfChange(after instant: BootInstant) -> Int {
    var index = next
    while index < changes.count, changes[index].instant <= instant { index += 1 }
    return index
  }

  /// Applies all changes before that index.
  private mutating func pass(_ index: Int) {
    guard index > next else { return }
    next = index
    state = changes[index - 1].state
    isCounted = false
  }

  private mutating func add(_ a: PowerReading, _ b: PowerReading, _ time: Seconds) {
    guard time > 0 else { return }
    guard !isBroken else { return edit { $0.missing += time } }
    edit {
      $0.measured += time
      $0.charge += (a.current + b.current) * 0.5 * time
      $0.energy += (a.power + b.power) * 0.5 * time
      $0.systematicCharge += (a.currentUncertainty + b.currentUncertainty) * 0.5 * time
      if a.isBelowFloor { $0.belowFloor += time * 0.5 }
      if b.isBelowFloor { $0.belowFloor += time * 0.5 }
    }
  }

  private mutating func note(_ reading: PowerReading) {
    edit { $0.peak = max($0.peak ?? reading.current, reading.current) }
    count()
  }

  private mutating func count() {
    guard !isCounted else { return }
    isCounted = true
    edit { $0.periods += 1 }
  }

  private mutating func edit(_ body: (inout StateCharge) -> Void) {
    var name = state ?? Self.unknown
    if charges[name] == nil, charges.count >= Self.mostStates { name = Self.other }
    body(&charges[name, default: StateCharge()])
  }
}
