/// What a receiver is told at each of its starts: a sleep or a cut may have undone it.
struct ReceiverSetup: Sendable {
  private let powerSaving: PowerSaving
  /// Once for each start: one that does not obey is not asked again and again.
  private var hasToldSignals = false

  init(_ wiring: PowerWiring) { powerSaving = wiring.powerSaving }

  /// It can take commands.
  mutating func begin(_ commands: ReceiverCommands) -> [[UInt8]] {
    hasToldSignals = false
    return identified(commands)
  }

  /// Only now is it known how it is commanded.
  func identified(_ commands: ReceiverCommands) -> [[UInt8]] { powerSaving.orders(commands) }

  /// It speaks, and says nothing of signals.
  mutating func missSignals(_ commands: ReceiverCommands) -> [[UInt8]] {
    guard !hasToldSignals else { return [] }
    let orders = commands.tellSignals
    hasToldSignals = !orders.isEmpty
    return orders
  }
}
