import Quantities
import ReceiverProtocols
import Records

/// Which fixes to believe. The defaults fit consumer receivers on foot, wheels, rails and wings.
public struct GateSettings: Hashable, Sendable {
  /// Below this a fix has no trustworthy horizontal place.
  public var leastMode: FixMode
  /// The largest believable estimated horizontal error.
  public var largestError: Metres
  /// User-equivalent range error: times HDOP it estimates the error of a receiver that makes no
  /// estimate of its own. 5 m is a usual figure for single-frequency GPS with a broadcast model.
  public var rangeError: Metres
  /// Assumed where the receiver tells neither an error nor a HDOP.
  public var assumedError: Metres
  /// Without these many satellites a fix is held up by assumptions; nil satellites are not judged.
  public var leastSatellites: Int
  /// No carrier is faster: an airliner with a jet stream behind it makes 330 m/s.
  public var highestSpeed: MetresPerSecond
  /// No carrier gains speed faster: emergency braking is 10 m/s², measured speed adds its noise.
  public var highestAcceleration: MetresPerSecondSquared
  /// The receiver's time and the board's clock pass alike. A receiver that learns of the leap
  /// seconds steps by 18 s, and bytes wait in buffers for some seconds.
  public var largestTimeJump: Seconds
  /// So many consistent fixes elsewhere overrule the one that they contradict.
  public var fixesToRecover: Int
  /// After power-on the first fixes with a larger error than this are not believed while it still
  /// falls ...
  public var settledError: Metres
  /// ... but at most so many ...
  public var settlingFixes: Int
  /// ... and not for longer than this: a short burst must yield a location.
  public var settlingTime: Seconds
  /// So many identical places with a measured speed are a frozen receiver.
  public var fixesUntilFrozen: Int

  public init(
    leastMode: FixMode = .twoD, largestError: Metres = 1000, rangeError: Metres = 5,
    assumedError: Metres = 10, leastSatellites: Int = 3, highestSpeed: MetresPerSecond = 340,
    highestAcceleration: MetresPerSecondSquared = 15, largestTimeJump: Seconds = 60,
    fixesToRecover: Int = 5, settledError: Metres = 20, settlingFixes: Int = 3,
    settlingTime: Seconds = 5, fixesUntilFrozen: Int = 5
  ) {
    self.leastMode = leastMode
    self.largestError = largestError
    self.rangeError = rangeError
    self.assumedError = assumedError
    self.leastSatellites = leastSatellites
    self.highestSpeed = highestSpeed
    self.highestAcceleration = highestAcceleration
    self.largestTimeJump = largestTimeJump
    self.fixesToRecover = fixesToRecover
    self.settledError = settledError
    self.settlingFixes = settlingFixes
    self.settlingTime = settlingTime
    self.fixesUntilFrozen = fixesUntilFrozen
  }
}

/// Why a fix was not believed. The words are stable: they are counted, stored and reported.
public enum RejectionReason: String, Hashable, Sendable, CaseIterable {
  case noFix = "no-fix"
  case noTime = "no-time"
  /// A witness contradicts its date, see `CivilClock`.
  case implausibleDate = "implausible-date"
  case nullIsland = "null-island"
  case fewSatellites = "few-satellites"
  case largeError = "large-error"
  case settling
  case duplicate
  case timeBackwards = "time-backwards"
  case timeJump = "time-jump"
  case frozen
  case impliedSpeed = "implied-speed"
  case impliedAcceleration = "implied-acceleration"

  var isOfDate: Bool { self == .timeBackwards || self == .timeJump }
}

public enum GateVerdict: Hashable, Sendable {
  /// - Parameter dateShift: by how much the date differs from what the fixes before had led to,
  ///   when it has been found to be another; nil while it goes on.
  case accepted(Sighting, dateShift: Seconds?)
  case rejected(RejectionReason)
}
