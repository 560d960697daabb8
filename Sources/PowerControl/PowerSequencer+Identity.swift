import Quantities
import ReceiverProtocols

/// Asks a receiver of unknown family who it is, while it is on anyway: its sleep commands and ways
/// of keeping orbits depend on it.
extension PowerSequencer {
  /// A session may end before all questions are asked; after some it is left in peace.
  static let mostProbes = 3

  mutating func ask(at now: BootInstant, _ actions: inout [PowerAction]) {
    guard wiring.mayAsk, wiring.family == nil, !identity.isCertain, probes < Self.mostProbes else {
      return
    }
    probes += 1
    probe = ReceiverProbe(at: now, listening: 0, isSpeedCertain: true)
    askFurther(at: now, &actions)
  }

  mutating func hearProbe(
    _ answer: ReceiverAnswer, at now: BootInstant, _ actions: inout [PowerAction]
  ) {
    let before = (identity, means)
    identity.learn(answer)
    probe?.hear([answer], validFrames: 1, protocols: [])
    // The language is often supposed before the receiver says who it is.
    let isNews = identity.family != before.0.family || !before.0.isCertain
    if identity.isCertain, isNews {
      actions.append(.identified(identity))
      if hasSpoken { setPowerSaving(&actions) }
    }
    if means != before.1 { actions.append(.meansChanged) }
    askFurther(at: now, &actions)
  }

  /// Goes on with the questions, as far as it is time.
  mutating func askFurther(at now: BootInstant, _ actions: inout [PowerAction]) {
    probeDue = nil
    guard stage == .on, var probe else { return self.probe = nil }
    // Every step sends one question at most, and there are few of them.
    while true {
      switch probe.step(at: now) {
      case .send(let query): actions.append(.send(query.bytes))
      case .listen(let until):
        self.probe = probe
        probeDue = until
        return
      case .finished:
        self.probe = nil
        return
      }
    }
  }
}
