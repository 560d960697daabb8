import Energy
import Quantities
import Records

/// On, asleep, or cut off: what becomes of a receiver that is not wanted for a while.
///
/// It is decided when the wish ends, and again only when the pause changes. Within one pause the
/// ways lead from on over asleep to off and never back, so that nothing flaps.
extension Tracker {
  /// Where nobody has said when GNSS is wanted again: a night, or a working day.
  static let unknownPause = Seconds.hours(8)

  var canSleep: Bool { settings.power.canSleep && !sleepTrust.isGone }

  /// Whether ephemeris that is gathered now will be there, and fresh, when GNSS is wanted again.
  func willKeepEphemeris(until: BootInstant?, at now: BootInstant) -> Bool {
    if let until, until - now > LockPrediction.ephemerisLife { return false }
    guard settings.power.canCut, !settings.power.hasBackup else { return true }
    return weigh(until: until, canLeaveOn: false, canSleep: canSleep, at: now).choice != .cut
  }

  /// What costs the least until `until`; nil: nobody knows until when.
  func weigh(
    until: BootInstant?, canLeaveOn: Bool, canSleep: Bool, at now: BootInstant
  ) -> Idle {
    let pause = until.map { max($0 - now, 0) } ?? Self.unknownPause
    let forecast = acquisition.forecast(
      pause: pause, hasBackup: settings.power.hasBackup, at: now)
    let decision = IdleDecision(
      pause: pause, model: energyModel, forecast: forecast, canLeaveOn: canLeaveOn,
      canSleep: canSleep, canCut: settings.power.canCut)
    let guess = until == nil ? "; the pause is a guess, nobody said how long" : ""
    return Idle(
      choice: decision.choice, reason: decision.reason + guess, pause: pause, until: until,
      paysUntil: decision.paysUntil)
  }

  /// GNSS is on and no longer wanted. Returns whether it is left on all the same.
  mutating func staysOn(until: BootInstant?, at now: BootInstant) -> Bool {
    let isForced = isStopping || gnssOverride == .off
    guard !isForced, lastAccepted != nil || idle != nil, settings.power.canCut || canSleep else {
      return false
    }
    if let idle, idle.until == until { return true }
    let choice = weigh(until: until, canLeaveOn: true, canSleep: canSleep, at: now)
    guard choice.choice == .leaveOn else { return false }
    idle = choice
    return true
  }

  /// GNSS goes off: chooses how, and asks for it. What has just failed is cut off if it can be.
  mutating func lieDown(
    after outcome: GnssSession.Outcome, until: BootInstant?, at now: BootInstant,
    into effects: inout [Effect]
  ) {
    guard settings.power.canCut || canSleep else {
      return listenNoMore(until: until, at: now, into: &effects)
    }
    let maySleep = canSleep && (outcome != .failed || !settings.power.canCut)
    let choice = weigh(until: until, canLeaveOn: false, canSleep: maySleep, at: now)
    idle = choice
    enter(choice.choice == .sleep ? .sleeping : .off)
    effects.append(.power(rest.powerState))
  }

  /// Nothing can switch the receiver: at least the board need not hear it. It goes on with what it
  /// did, and draws what that takes.
  private mutating func listenNoMore(
    until: BootInstant?, at now: BootInstant, into effects: inout [Effect]
  ) {
    idle = Idle(
      choice: .leaveOn, reason: "left on, but not listened to: nothing can switch the receiver",
      pause: until.map { $0 - now } ?? Self.unknownPause, until: until)
    enter(.powered(gnssState))
    effects.append(.power(rest.powerState))
  }

  /// The receiver may prove unable to keep its orbits when the cut has already been asked for.
  mutating func learn(_ means: PowerMeans) {
    settings.power = means
    if session == nil { enter(rest) }
  }

  private mutating func enter(_ next: Rest) {
    rest = next
    if next == .off, settings.power.canCut, !settings.power.hasBackup { acquisition.forgetOrbits() }
  }

  /// GNSS is off, and the pause may have changed. One that has grown may be worth a cut.
  mutating func reviewRest(
    until: BootInstant?, at now: BootInstant, into effects: inout [Effect]
  ) {
    guard let idle, idle.until != until else { return }
    if !settings.power.canCut, rest != .sleeping {
      self.idle?.until = until
      self.idle?.pause = until.map { max($0 - now, 0) } ?? Self.unknownPause
      return
    }
    let isAsleep = rest == .sleeping
    let review = weigh(until: until, canLeaveOn: false, canSleep: isAsleep, at: now)
    self.idle = review
    guard isAsleep, review.choice == .cut else { return }
    enter(.off)
    effects.append(.power(.off))
    note("gnss-cut", review.reason, at: now, into: &effects)
  }

  /// The receiver did not go to sleep: the next-stronger way, if there is one.
  mutating func sleepFailed(at now: BootInstant, into effects: inout [Effect]) {
    if settings.power.canCut {
      idle?.choice = .cut
      idle?.reason = "cut off, because it could not be put to sleep"
      idle?.paysUntil = nil
      enter(.off)
      effects.append(.power(.off))
    } else if canSleep {
      _ = switchOffBackOff.failed(at: now)
    } else {
      idle?.choice = .leaveOn
      idle?.reason = "left on, but not listened to: it cannot be put to sleep"
      idle?.paysUntil = nil
      switchOffBackOff.succeeded()
      enter(.powered(.acquiring))
    }
  }
}

extension ReceiverEnergyModel {
  /// Whether it makes sense to calculate with it.
  var isPlausible: Bool {
    let currents = [acquiring, tracking, sleeping, off]
    return supply > 0 && supply.isFinite && currents.allSatisfy { $0.isFinite && $0 >= 0 }
  }
}
