import Core
import Records

/// One step of a `PowerSequencer`: its moment, and the resulting actions in order.
struct SequencerStep {
  let now: BootInstant
  private(set) var actions: [PowerAction] = []

  init(at now: BootInstant) { self.now = now }

  mutating func add(_ action: PowerAction) { actions.append(action) }

  mutating func set(_ levels: [PowerLineSequence.Level]) {
    actions += levels.map { .set($0.line, active: $0.isActive) }
  }

  /// Opens the receiver's line once the pins may be driven; discards earlier input.
  mutating func openReceiver(_ levels: [PowerLineSequence.Level]) {
    set(levels)
    actions += [.openReceiver, .discardInput]
  }

  /// Closes the line before its pins are released.
  mutating func closeReceiver(_ levels: [PowerLineSequence.Level]) {
    actions.append(.closeReceiver)
    set(levels)
  }

  mutating func send(_ orders: [[UInt8]]) { actions += orders.map(PowerAction.send) }

  mutating func log(_ kind: String, _ reason: String) {
    actions.append(.log(LogEvent(kind, reason, level: .warning)))
  }
}
