import Core
import GNSS
import Records

/// Decides which fixes become locations.
///
/// A rejected fix never changes the reference, with one exception: when `fixesToRecover` of them in
/// a row agree with each other, the board really is there (it came out of a tunnel, off a ferry, or
/// the earlier fix or date was wrong) and the last of them is accepted. A date that is off by
/// minutes or hours must have held for as long as the one before, or for ten minutes: such errors
/// are temporary, and two dates would split one stay.
public struct FixGate: Sendable {
  /// The part of a fix that later fixes are compared with.
  struct Reference: Hashable, Sendable {
    var time: UTCInstant
    var received: BootInstant
    var position: Coordinate
    var error: Double
    /// Metres per second: the receiver's, else derived from the fix before; nil: unknown.
    var speed: Double?
  }

  /// 1970: recordings may count from zero, but no fix is older. From here on the difference of any
  /// two times fits into an instant's nanoseconds.
  static let firstTime = UTCInstant(nanoseconds: 0)
  /// The assumed drift of a board's clock, as a share of time: five times that of cheap crystals.
  private static let clockDrift = 0.000_5
  /// A smaller error of the date is a slip: local time taken for UTC, an hour of summer time.
  private static let maxSlip = Seconds.days(1)
  private static let slipTimeout = Seconds(600)
  /// A recording with a few fixes before a gap of this length began with a wrong date.
  private static let maxGap = Seconds.days(30)

  let settings: GateSettings
  private var trusted: Reference?
  private var date: DateRun?
  private var dissent: ConflictingFixes?
  private var repeated: Repetition?
  /// Set from power-on until the filter has settled.
  private var settling: Settling?

  /// The fixes with the date of the reference.
  private struct DateRun: Hashable, Sendable {
    let first: Reference
    var fixes = 0
  }

  /// The rejected fixes that contradict `trusted` and agree with each other.
  private struct ConflictingFixes: Hashable, Sendable {
    let first: Reference
    var newest: Reference
    var fixes = 1
  }

  /// A repeated identical position.
  private struct Repetition: Hashable, Sendable {
    let position: Coordinate
    var fixes = 1
  }

  private struct Settling: Hashable, Sendable {
    var fixes = 0
    var first: BootInstant?
    var lastError = Double.infinity
  }

  public init(_ settings: GateSettings) { self.settings = settings }

  /// After switch-on the first fixes are inaccurate.
  public mutating func poweredOn(at instant: BootInstant) {
    settling = Settling()
    repeated = nil
  }

  public mutating func evaluate(_ fix: Fix) -> GateDecision {
    guard fix.mode >= settings.minMode, let position = fix.position else {
      return .rejected(.noFix)
    }
    guard let time = fix.time, time >= Self.firstTime else { return .rejected(.noTime) }
    guard !position.isNullIsland else { return .rejected(.nullIsland) }
    if let used = fix.satellitesUsed, used < settings.minSatellites {
      return .rejected(.fewSatellites)
    }
    let error = horizontalError(of: fix)
    guard error <= settings.maxError.value else { return .rejected(.largeError) }
    if let trusted, trusted.time == time { return .rejected(.duplicate) }
    countRepetition(of: position, speed: fix.speed)
    if let repeated, repeated.fixes >= settings.fixesUntilFrozen { return .rejected(.frozen) }
    updateSettling(with: fix, error: error)
    if settling != nil { return .rejected(.settling) }

    let speed = fix.speed.flatMap { $0.value >= 0 && $0.isFinite ? $0.value : nil }
    var now = Reference(
      time: time, received: fix.received, position: position, error: error, speed: speed)
    now.speed = speed ?? impliedSpeed(of: now)
    var dateShift: Seconds?
    if let trusted {
      if let objection = objection(to: now, after: trusted) {
        let shift = objection.isOfDate ? Self.shift(of: now, after: trusted) : nil
        countDissent(now)
        guard dissentPrevails(dateShift: shift) else { return .rejected(objection) }
        dateShift = shift
      } else if isAfterFalseStart(now, trusted) {
        dateShift = now.time - trusted.time
      }
    }
    trust(now, onNewDate: dateShift != nil)
    return .accepted(
      Location(
        time: time, position: position, accuracy: Metres(error),
        speed: speed.map { MetresPerSecond($0) },
        track: fix.track, altitude: fix.altitudeMSL ?? fix.altitudeHAE, source: .gnss),
      dateShift: dateShift)
  }

  private mutating func trust(_ now: Reference, onNewDate: Bool) {
    if onNewDate || date == nil { date = DateRun(first: now) }
    date?.fixes += 1
    trusted = now
    dissent = nil
  }

  /// The error in metres: the receiver's own estimate, else HDOP times the range error, else an
  /// assumption.
  private func horizontalError(of fix: Fix) -> Double {
    if let error = fix.horizontalError, error.isFinite, error > 0 { return error.value }
    if let hdop = fix.hdop, hdop.isFinite, hdop > 0 { return hdop * settings.rangeError.value }
    return settings.assumedError.value
  }

  /// The first fixes after power-on come from few satellites and an unsettled filter. They are held
  /// back until the error is small or no longer falls, and never beyond a few fixes or seconds.
  private mutating func updateSettling(with fix: Fix, error: Double) {
    guard var state = settling else { return }
    let first = state.first ?? fix.received
    state.fixes += 1
    let settled =
      error <= settings.settledError.value || state.fixes >= settings.settlingFixes
      || fix.received - first >= settings.settlingTime
      || (state.fixes > 1 && error >= 0.9 * state.lastError)
    state.first = first
    state.lastError = error
    settling = settled ? nil : state
  }

  /// Some receivers repeat their last position for ever while they continue to measure speed.
  private mutating func countRepetition(of position: Coordinate, speed: MetresPerSecond?) {
    if let speed, speed.value > 2, position == repeated?.position {
      repeated?.fixes += 1
    } else {
      repeated = Repetition(position: position)
    }
  }

  /// The speed in metres per second from the trusted fix to this one, or from the newest
  /// conflicting fix where only its date fits. Nil where neither does.
  private func impliedSpeed(of now: Reference) -> Double? {
    for before in [trusted, dissent?.newest] {
      guard let before, dateConflict(to: now, after: before) == nil else { continue }
      return Sphere.distance(before.position, now.position).value / (now.time - before.time).value
    }
    return nil
  }

  /// Why the time of `now` cannot follow that of `before`, or nil.
  private func dateConflict(to now: Reference, after before: Reference) -> RejectionReason? {
    let seconds = (now.time - before.time).value
    guard seconds > 0 else { return .timeBackwards }
    // Fixes from a buffer arrive together, which says nothing about their times.
    let elapsed = (now.received - before.received).value
    let jump = (seconds - elapsed).magnitude
    if elapsed > 0, jump > settings.maxTimeJump.value + Self.clockDrift * elapsed {
      return .timeJump
    }
    return nil
  }

  /// Why `now` cannot follow `before`, or nil.
  private func objection(to now: Reference, after before: Reference) -> RejectionReason? {
    if let objection = dateConflict(to: now, after: before) { return objection }
    let seconds = (now.time - before.time).value
    let distance = Sphere.distance(before.position, now.position).value
    // Both positions are only known within their errors: two sigma leaves few false alarms.
    let minDistance = distance - 2 * (before.error + now.error)
    guard minDistance > 0 else { return nil }
    if minDistance > settings.maxSpeed.value * seconds { return .impliedSpeed }
    // The acceleration needed to get this far from the previous speed.
    guard let speed = before.speed else { return nil }
    let excess = minDistance - speed * seconds
    let acceleration = 2 * excess / (seconds * seconds)
    return acceleration > settings.maxAcceleration.value ? .impliedAcceleration : nil
  }

  /// How much faster the date advanced than the board's clock.
  private static func shift(of now: Reference, after before: Reference) -> Seconds {
    (now.time - before.time) - (now.received - before.received)
  }

  /// A receiver's first fixes may have its default date. In a recording, which has only the
  /// receiver's clock, the gap of years to the other fixes reveals them.
  private func isAfterFalseStart(_ now: Reference, _ before: Reference) -> Bool {
    (date?.fixes ?? 0) < settings.fixesToRecover && now.time - before.time > Self.maxGap
      && now.received - before.received > Self.maxGap
  }

  /// Counts a fix that contradicts the reference.
  private mutating func countDissent(_ now: Reference) {
    if let newest = dissent?.newest, objection(to: now, after: newest) == nil {
      dissent?.newest = now
      dissent?.fixes += 1
    } else {
      dissent = ConflictingFixes(first: now, newest: now)
    }
  }

  /// Whether enough fixes contradict the reference.
  /// - Parameter dateShift: nil when the objection is not to the date.
  private func dissentPrevails(dateShift: Seconds?) -> Bool {
    guard let dissent, dissent.fixes >= settings.fixesToRecover else { return false }
    guard let dateShift, dateShift.magnitude > settings.maxTimeJump,
      dateShift.magnitude < Self.maxSlip, let date, let trusted
    else { return true }
    // In a recording received times stand still while its dates go back.
    let now = dissent.newest
    let held = max(now.time - dissent.first.time, now.received - dissent.first.received)
    return held >= min(trusted.time - date.first.time, Self.slipTimeout)
  }
}
