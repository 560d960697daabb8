import Geodesy
import Quantities
import ReceiverProtocols

/// Lets the believable fixes through: each is judged alone, then against the last good one.
///
/// A gate that only compares with the last good fix locks itself out when that one was wrong, so
/// consistent fixes elsewhere (or at another time) overrule it after a few.
public struct FixGate: Sendable {
  let settings: GateSettings
  private var lastGood: Sighting?
  /// Refused for contradicting `lastGood`, while they agree with each other.
  private var dissenter: Sighting?
  private var dissenters = 0
  private var settlingLeft: Int
  private var frozenAt: Coordinate?
  private var frozenFixes = 0

  public init(_ settings: GateSettings) {
    self.settings = settings
    settlingLeft = settings.settlingFixes
  }

  /// The receiver was switched on: its first fixes may still be settling.
  public mutating func poweredOn() {
    settlingLeft = settings.settlingFixes
    frozenAt = nil
    frozenFixes = 0
  }

  public mutating func judge(_ fix: Fix) -> GateVerdict {
    guard fix.mode >= settings.leastMode, let place = fix.position else {
      return .rejected(.noFix)
    }
    guard let time = fix.time else { return .rejected(.noTime) }
    guard !place.isNullIsland else { return .rejected(.nullIsland) }
    if let used = fix.satellitesUsed, used < settings.leastSatellites {
      return .rejected(.fewSatellites)
    }
    let error = estimatedError(of: fix)
    guard error <= settings.largestError else { return .rejected(.largeError) }
    let sighting = Sighting(
      time: time, place: place, accuracy: error, speed: fix.speed, track: fix.track,
      altitude: fix.altitudeMSL)
    if let last = lastGood, last.time == time { return .rejected(.duplicate) }
    if isFrozen(place, speed: fix.speed) { return .rejected(.frozen) }
    if settlingLeft > 0 {
      if error > settings.settledError {
        settlingLeft -= 1
        return .rejected(.settling)
      }
      settlingLeft = 0
    }
    if let last = lastGood, let objection = objection(to: sighting, after: last) {
      guard overrules(sighting) else { return .rejected(objection) }
    }
    dissenter = nil
    dissenters = 0
    lastGood = sighting
    return .accepted(sighting)
  }

  /// The receiver's own estimate, else HDOP times the range error, else twice the range error.
  private func estimatedError(of fix: Fix) -> Metres {
    if let error = fix.horizontalError, error.value > 0 { return error }
    if let hdop = fix.hdop, hdop > 0 { return settings.rangeError * hdop }
    return settings.rangeError * 2
  }

  /// Some receivers repeat their last place for ever while they go on measuring speed.
  private mutating func isFrozen(_ place: Coordinate, speed: MetresPerSecond?) -> Bool {
    guard let speed, speed.value > 2, place == frozenAt else {
      frozenAt = place
      frozenFixes = 1
      return false
    }
    frozenFixes += 1
    return frozenFixes >= settings.fixesUntilFrozen
  }

  private func objection(to new: Sighting, after last: Sighting) -> RejectionReason? {
    let elapsed = (new.time - last.time).value
    guard elapsed > 0 else { return .timeBackwards }
    let away = LocalPlane(origin: last.place).point(new.place)
    let distance = away.distance(to: .init(east: 0, north: 0)).value
    // Both places are only known within their errors.
    let least = distance - 2 * (new.accuracy.value + last.accuracy.value)
    guard least > 0 else { return nil }
    if least > settings.highestSpeed.value * elapsed { return .impliedSpeed }
    guard elapsed <= 10, let before = last.speed, let now = new.speed else { return nil }
    let fastest =
      max(before.value, now.value) + settings.highestAcceleration * elapsed
    return least > fastest * elapsed ? .impliedAcceleration : nil
  }

  private mutating func overrules(_ sighting: Sighting) -> Bool {
    if let earlier = dissenter, objection(to: sighting, after: earlier) == nil {
      dissenters += 1
    } else {
      dissenters = 1
    }
    dissenter = sighting
    return dissenters >= settings.fixesToRecover
  }
}
