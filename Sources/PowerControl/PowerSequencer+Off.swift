import Quantities
import ReceiverProtocols
import Tracking

/// From on to off, with the orbits kept where that is possible.
extension PowerSequencer {
  /// Saving to flash takes about a second (UBX-UPD-SOS), a database dump about as long at 9600 baud
  /// per 1000 bytes.
  static let savesWithin = Seconds(5)
  static let dumpsWithin = Seconds(10)

  var keeping: OrbitKeeping {
    guard wiring.orbitKeeping == .auto else { return wiring.orbitKeeping }
    if wiring.hasBackupSupply { return .none }
    if commands.abilities.savesOrbits, !cannotSave { return .flash }
    return commands.abilities.dumpsOrbits ? .host : .none
  }

  mutating func keepOrbits(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard hasSpoken, wiring.canCut else {
      cut(&actions)
      return
    }
    switch keeping {
    case .flash where !commands.saveOrbits.isEmpty && !cannotSave:
      actions += commands.saveOrbits.map(PowerAction.send)
      stage = .keepingOrbits(until: now + Self.savesWithin)
    case .host:
      guard let poll = commands.pollOrbits else { return cut(&actions) }
      orbits = []
      actions.append(.send(poll))
      dumpBy = now + Self.dumpsWithin
      stage = .keepingOrbits(until: dumpBy)
    case .flash, .auto, .none: cut(&actions)
    }
  }

  /// The time for saving orbits is over without an answer.
  mutating func orbitsNotSaved(_ actions: inout [PowerAction]) {
    guard keeping == .flash else { return }
    cannotSave = true
    note("orbits-not-saved", "the receiver did not save its orbits in time", &actions)
  }

  /// The orbits are as safe as they will be: the power may go, unless it is wanted again by now.
  mutating func orbitsKept(_ actions: inout [PowerAction]) {
    guard wanted == .on else { return cut(&actions) }
    stage = .on
    orbits = []
    orbitsSaved = false
    if let order = commands.startGnss { actions.append(.send(order)) }
    settle(.on, &actions)
  }

  mutating func cut(_ actions: inout [PowerAction]) {
    actions.append(.closeReceiver)
    cutLines(&actions)
    stage = .off
    answerBy = nil
    if wanted != .on { settle(.off, &actions) }
  }

  /// The pins go before the supply: driving an unpowered module feeds it.
  mutating func cutLines(_ actions: inout [PowerAction]) {
    if wiring.lines.contains(.uart) { actions.append(.set(.uart, active: false)) }
    if wiring.lines.contains(.wake) { actions.append(.set(.wake, active: false)) }
    if wiring.lines.contains(.supply) { actions.append(.set(.supply, active: false)) }
    if wiring.canCut, !wiring.hasBackupSupply { hasForgotten = true }
  }
}
