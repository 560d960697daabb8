import Quantities

/// What counts as a stay. Few constants, each with a physical meaning.
public struct DwellSettings: Hashable, Sendable {
  /// The shortest stay that is a visit.
  public var minimumDwell: Seconds
  /// A carrier at rest is seen within this distance of its centre, beyond what the receiver's error
  /// explains: rooms, a platform, a garden.
  public var restRadius: Metres
  /// Once it stays, it has to be seen farther away than this to have left (hysteresis).
  public var leaveRadius: Metres
  /// The leave radius grows by this share with every doubling of the hours stayed: the largest of
  /// many errors grows with the logarithm of their number.
  public var leaveGrowth: Double
  /// Being away for less than this, and back, is no departure: drift, an outlier, the letter box.
  public var shortestAbsence: Seconds
  /// A stay that goes on within this time at the same place is the same visit.
  public var mergeWindow: Seconds
  /// Not seen for longer than this, the carrier was not watched.
  public var silence: Seconds
  /// Sightings with a larger error can contradict a stay but tell nothing for it.
  public var coarseError: Metres
  /// Walking pace: how fast one goes from a stay to where one is next seen.
  public var walkingSpeed: MetresPerSecond
  /// Nobody walks or drifts this fast (12.6 km/h): a vehicle.
  public var vehicleSpeed: MetresPerSecond
  /// Who comes on foot and rides off from the very place within this time has waited for transport,
  /// which is part of the journey and no visit. 0: every stay counts.
  public var longestWait: Seconds
  /// How far from the place the vehicle is first seen to move.
  public var boardingRadius: Metres

  public init(
    minimumDwell: Seconds = 300, restRadius: Metres = 30, leaveRadius: Metres = 100,
    leaveGrowth: Double = 0.35, shortestAbsence: Seconds = 180, mergeWindow: Seconds = 600,
    silence: Seconds = 120, coarseError: Metres = 150, walkingSpeed: MetresPerSecond = 1.4,
    vehicleSpeed: MetresPerSecond = 3.5, longestWait: Seconds = 1200,
    boardingRadius: Metres = 100
  ) {
    self.minimumDwell = minimumDwell
    self.restRadius = restRadius
    self.leaveRadius = leaveRadius
    self.leaveGrowth = leaveGrowth
    self.shortestAbsence = shortestAbsence
    self.mergeWindow = mergeWindow
    self.silence = silence
    self.coarseError = coarseError
    self.walkingSpeed = walkingSpeed
    self.vehicleSpeed = vehicleSpeed
    self.longestWait = longestWait
    self.boardingRadius = boardingRadius
  }
}
