import Quantities

/// What the world answers to effects. An answer belongs to the last wish of its kind: whoever
/// performs them drops the wishes that were replaced meanwhile, and their answers.
extension Tracker {
  mutating func finished(_ kind: EffectKind) {
    guard kind == .power else { return }
    guard session == nil else { return switchOnBackOff.succeeded() }
    switchOffBackOff.succeeded()
    if rest == .sleeping { sleepTrust.succeeded() }
  }

  mutating func failed(
    _ kind: EffectKind, _ why: String, at now: BootInstant, into effects: inout [Effect]
  ) {
    note("\(kind.rawValue)-failed", why, level: .warning, at: now, into: &effects)
    switch kind {
    case .scan:
      scanAsked = nil
      nextScan = now + settings.coarse.retryAfter
    case .power where session != nil:
      _ = switchOnBackOff.failed(at: now)
      close(.failed, until: switchOnBackOff.until, at: now, into: &effects)
    case .power: restFailed(at: now, into: &effects)
    }
  }

  private mutating func restFailed(at now: BootInstant, into effects: inout [Effect]) {
    switch rest {
    case .sleeping:
      // Without a switch in the supply there is nothing else to trust in.
      if settings.power.canCut { doubtSleep(at: now, into: &effects) }
      sleepFailed(at: now, into: &effects)
    case .off where settings.power.canCut:
      // A switch that refused to switch on has nothing to switch off.
      if switchOnBackOff.failures == 0 { _ = switchOffBackOff.failed(at: now) }
    case .off, .powered: break
    }
  }

  private mutating func doubtSleep(at now: BootInstant, into effects: inout [Effect]) {
    guard !sleepTrust.isGone else { return }
    sleepTrust.failed()
    guard sleepTrust.isGone else { return }
    note(
      "sleep-unavailable", "it failed \(SleepTrust.limit) times in a row and is not tried again",
      level: .warning, at: now, into: &effects)
  }

  mutating func sleepUnavailable(
    _ why: String, at now: BootInstant, into effects: inout [Effect]
  ) {
    guard !sleepTrust.isGone else { return }
    sleepTrust.lose()
    note("sleep-unavailable", why, level: .warning, at: now, into: &effects)
    if session == nil, rest == .sleeping { sleepFailed(at: now, into: &effects) }
  }
}
