import Quantities
import Records

/// One step of a `PowerSequencer`: its moment, and what it wants done, in this order.
struct SequencerTurn {
  let now: BootInstant
  private(set) var actions: [PowerAction] = []

  init(at now: BootInstant) { self.now = now }

  mutating func add(_ action: PowerAction) { actions.append(action) }

  mutating func set(_ levels: [PowerLineOrder.Level]) {
    actions += levels.map { .set($0.line, active: $0.isActive) }
  }

  mutating func send(_ orders: [[UInt8]]) { actions += orders.map(PowerAction.send) }

  mutating func log(_ kind: String, _ reason: String) {
    actions.append(.log(LogEvent(kind, reason, level: .warning)))
  }
}
