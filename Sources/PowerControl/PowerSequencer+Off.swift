import Quantities
import ReceiverProtocols

/// From on to off, with the orbits kept where that is possible.
extension PowerSequencer {
  /// Saving to flash takes about a second (UBX-UPD-SOS), a database dump about as long at 9600 baud
  /// per 1000 bytes.
  static let savesWithin = Seconds(5)
  static let dumpsWithin = Seconds(10)

  var keeping: OrbitKeeping {
    let canSave = commands.abilities.savesOrbits && !cannotSave
    let canDump = commands.abilities.dumpsOrbits && !cannotDump
    switch wiring.orbitKeeping {
    case .flash: return canSave ? .flash : .none
    case .host: return canDump ? .host : .none
    case .auto where !wiring.hasBackupSupply: return canSave ? .flash : canDump ? .host : .none
    case .auto, .none: return .none
    }
  }

  mutating func keepOrbits(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard hasSpoken, isListening, wiring.canCut else { return cut(&actions) }
    switch keeping {
    case .flash:
      actions += commands.saveOrbits.map(PowerAction.send)
      stage = .keepingOrbits(until: now + Self.savesWithin)
    case .host:
      guard let poll = commands.pollOrbits else { return cut(&actions) }
      orbits = []
      actions.append(.send(poll))
      dumpBy = now + Self.dumpsWithin
      stage = .keepingOrbits(until: dumpBy)
    case .auto, .none: cut(&actions)
    }
  }

  /// The time for keeping orbits is over. A dump has no other end; saving has an answer.
  mutating func orbitsNotCome(_ actions: inout [PowerAction]) {
    switch keeping {
    case .flash:
      orbitsNotSaved("the receiver did not save its orbits in time", &actions)
    case .host where orbits.isEmpty:
      cannotDump = true
      note("orbits-not-kept", "the receiver does not hand out its orbits", &actions)
      actions.append(.meansChanged)
    case .host, .auto, .none: return
    }
  }

  /// The receiver's line is gone. It was told to stop, so it is of no use before a cut.
  mutating func orbitsCannotCome(at now: BootInstant, _ actions: inout [PowerAction]) {
    if wanted == .on { revive(at: now, &actions) } else { cut(&actions) }
  }

  mutating func orbitsNotSaved(_ why: String, _ actions: inout [PowerAction]) {
    cannotSave = true
    note("orbits-not-saved", why, &actions)
    actions.append(.meansChanged)
  }

  /// The orbits are as safe as they will be: the power may go, unless it is wanted again by now.
  mutating func orbitsKept(_ actions: inout [PowerAction]) {
    guard wanted == .on else { return cut(&actions) }
    stage = .on
    orbits = []
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
    supplyGoes(&actions)
  }

  mutating func supplyGoes(_ actions: inout [PowerAction]) {
    if wiring.lines.contains(.supply) { actions.append(.set(.supply, active: false)) }
    if wiring.canCut, !wiring.hasBackupSupply { hasForgotten = true }
  }
}
