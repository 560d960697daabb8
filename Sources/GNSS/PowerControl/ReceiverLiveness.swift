import Core

/// The output since the receiver was switched on or woken, and the deadline for more. Exists while
/// the receiver's line should be open.
struct ReceiverLiveness: Hashable, Sendable {
  /// Epochs are seconds apart, and a program in between may delay some.
  static let maxSilence = Seconds(60)
  /// Longer pauses between epochs are gaps, not the epoch interval.
  private static let maxPace = Seconds(20)

  private let startTimeout: Seconds
  /// Whether silence after a start can be remedied.
  private let isWatched: Bool
  /// Whether its line is really open. While it is closed, silence proves nothing.
  private(set) var isListening = true
  /// Whether it has sent a frame with a valid checksum.
  private(set) var hasOutput = false
  private var lastReceived: BootInstant?
  /// The longest silence between epochs.
  private(set) var pace: Seconds = 0
  /// The deadline for output.
  private(set) var due: BootInstant?

  init(_ wiring: PowerWiring) {
    startTimeout = wiring.startTimeout
    isWatched = wiring.canCut || wiring.lines.contains(.reset)
  }

  /// The longest silence that is accepted now.
  var timeout: Seconds { hasOutput ? Self.maxSilence : startTimeout }

  /// Starts the timeout for output, if the line is open.
  mutating func expectOutput(at now: BootInstant) {
    let isCounted = isListening && (isWatched || !hasOutput)
    due = isCounted ? now + timeout : nil
  }

  /// A wake command was sent: a sleeping receiver now restarts.
  mutating func expectStart(at now: BootInstant) { due = now + startTimeout }

  mutating func expectNothing() { due = nil }

  mutating func listen(_ isListening: Bool) { self.isListening = isListening }

  mutating func receive(validFrames: Int, at now: BootInstant) {
    due = isWatched ? now + Self.maxSilence : nil
    pace = max(pace, min(lastReceived.map { now - $0 } ?? 0, Self.maxPace))
    lastReceived = now
    if validFrames > 0 { hasOutput = true }
  }

  /// It was unreachable: commands are sent only after new output.
  mutating func awaitStart() { hasOutput = false }

  /// Its line was closed while it slept. The epoch interval is kept, without the sleep.
  mutating func reopen() {
    hasOutput = false
    lastReceived = nil
    isListening = true
  }

  /// After a reset nothing is known about its output; the state of its line is unchanged.
  mutating func reset() {
    hasOutput = false
    lastReceived = nil
    pace = 0
  }
}

/// The recovery steps for a receiver that falls silent: each is tried once, the least intrusive
/// first, until output returns.
struct Recovery: Hashable, Sendable {
  enum Attempt: Hashable, Sendable { case wake, reset, powerCycle }

  private let lines: Set<PowerLine>
  private let canCut: Bool
  private var tried: Set<Attempt> = []

  init(_ wiring: PowerWiring) {
    lines = wiring.lines
    canCut = wiring.canCut
  }

  mutating func succeeded() { tried = [] }

  /// Takes the next step and logs it; nil if no step is left.
  mutating func advance(
    mayBeAsleep: Bool, silence: Seconds, _ step: inout SequencerStep
  ) -> Attempt? {
    let possible: [Attempt] =
      (mayBeAsleep ? [.wake] : []) + (lines.contains(.reset) ? [.reset] : [])
      + (canCut ? [.powerCycle] : [])
    let next = possible.first { !tried.contains($0) }
    if let next { tried.insert(next) }
    if let reason = reason(next, silence) { step.log("receiver-silent", reason) }
    return next
  }

  private func reason(_ attempt: Attempt?, _ silence: Seconds) -> String? {
    let silence = "nothing was received for \(Int(silence.value)) s"
    switch attempt {
    case .wake: return nil
    case .reset: return "reset: \(silence)"
    case .powerCycle: return "its supply is cut and restored: \(silence)"
    case nil:
      let isSwitched = lines.contains(.supply)
      return "nothing arrives from the receiver although it is switched on: check receiver.device, "
        + "receiver.baud and the wire to its TX"
        + (isSwitched ? ", and whether power_switch.supply is the line that switches it" : "")
        + (tried.contains(.wake)
          ? "; it may be asleep since an earlier run, and bytes do not wake it"
            + (canCut ? "" : ": disconnect its supply, and its backup supply, for a moment")
          : "")
    }
  }
}
