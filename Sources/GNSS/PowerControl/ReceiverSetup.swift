/// The commands at each start of a receiver, because a sleep or a cut may have reset them.
struct ReceiverSetup: Sendable {
  private let powerSaving: PowerSaving
  /// Once per start: a receiver that does not react gets no repetitions.
  private var hasEnabledSignals = false

  init(_ wiring: PowerWiring) { powerSaving = wiring.powerSaving }

  /// The receiver accepts commands.
  mutating func begin(_ commands: ReceiverCommands) -> [[UInt8]] {
    hasEnabledSignals = false
    return identified(commands)
  }

  /// Its command set has just become known.
  func identified(_ commands: ReceiverCommands) -> [[UInt8]] { powerSaving.commandBytes(commands) }

  /// Its output contains no signal reports.
  mutating func enableSignals(_ commands: ReceiverCommands) -> [[UInt8]] {
    guard !hasEnabledSignals else { return [] }
    let orders = commands.enableSignalReports
    hasEnabledSignals = !orders.isEmpty
    return orders
  }
}
