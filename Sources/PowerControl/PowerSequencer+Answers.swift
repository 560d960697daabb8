import Quantities
import ReceiverProtocols

/// What the receiver is told when it can listen, and what it answers.
extension PowerSequencer {
  /// A board's crystal, 50 ppm at worst.
  private static let worstDrift = 50e-6

  /// The first words after a start.
  mutating func greet(at now: BootInstant, _ actions: inout [PowerAction]) {
    setPowerSaving(&actions)
    if let kind = pendingRestart, commands.restart(kind) != nil {
      pendingRestart = nil
      // What it is to forget need not be told first.
      return restart(kind, &actions)
    }
    if hasForgotten { remind(at: now, &actions) }
    if orbitsSaved, keeping == .flash, let poll = commands.pollSavedOrbits {
      actions.append(.send(poll))
    }
  }

  private mutating func remind(at now: BootInstant, _ actions: inout [PowerAction]) {
    hasForgotten = false
    if let aid {
      let age = now - aid.taken
      actions += commands.assist(
        time: aid.time + age, accuracy: aid.timeAccuracy + age * Self.worstDrift,
        position: aid.place, altitude: aid.altitude, accuracy: aid.placeAccuracy
      ).map(PowerAction.send)
    }
    actions += orbits.compactMap { commands.restore($0) }.map(PowerAction.send)
    orbits = []
  }

  mutating func restart(_ kind: RestartKind, _ actions: inout [PowerAction]) {
    guard stage == .on, hasSpoken, let order = commands.restart(kind) else {
      pendingRestart = kind
      return
    }
    if kind == .cold {
      orbits = []
      // Else it would restore what it is to forget.
      if orbitsSaved, keeping == .flash { clearSavedOrbits(&actions) }
    }
    actions.append(.send(order))
  }

  mutating func take(
    _ answer: ReceiverAnswer, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    hearProbe(answer, at: now, &actions)
    switch (answer, stage) {
    case (.ubxAcknowledgement(let reply), .fallingAsleep(let attempt))
    where !reply.isAccepted && reply.messageClass == 0x02 && reply.messageID == 0x41:
      refused(attempt.method, "UBX-ACK-NAK", at: now, &actions)
    case (.mtkAcknowledgement(let reply), .fallingAsleep(let attempt))
    where reply.result != .done && (reply.command == 161 || reply.command == 225):
      refused(attempt.method, "PMTK001 \(reply.result)", at: now, &actions)
    case (.pairAcknowledgement(let reply), .fallingAsleep(let attempt))
    where reply.command == 650 && reply.result != .done && reply.result != .pending:
      refused(attempt.method, "PAIR001 \(reply.result)", at: now, &actions)
    case (.orbitBackup(let outcome), .keepingOrbits): saved(outcome, at: now, &actions)
    case (.orbitBackup(let outcome), .on): restored(outcome, &actions)
    case (.orbitData(let data), .keepingOrbits):
      guard orbits.count < Self.mostOrbits else { return }
      orbits.append(data)
      // The last one is not marked: a second without another is the end.
      stage = .keepingOrbits(until: min(dumpBy, now + 1))
    default: return
    }
  }

  /// A whole database is some 10 kB in messages of about 100 bytes.
  static let mostOrbits = 512

  private mutating func saved(
    _ outcome: OrbitBackup, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    orbitsSaved = outcome == .saved
    if outcome != .saved {
      orbitsNotSaved("the receiver has no flash, or could not write it", &actions)
    }
    orbitsKept(&actions)
  }

  /// What was restored must not be restored again when it is old (M9N integration manual, "Save on
  /// shutdown").
  private mutating func restored(_ outcome: OrbitBackup, _ actions: inout [PowerAction]) {
    switch outcome {
    case .restored, .restoringFailed, .unknown: clearSavedOrbits(&actions)
    case .nothingToRestore: orbitsSaved = false
    // Too late: by now it is on again.
    case .saved, .notSaved: orbitsSaved = outcome == .saved
    }
  }

  private mutating func clearSavedOrbits(_ actions: inout [PowerAction]) {
    orbitsSaved = false
    if let order = commands.clearSavedOrbits { actions.append(.send(order)) }
  }
}
