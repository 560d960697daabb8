import Core

/// What counts as a stay. Few constants, each with a physical meaning.
public struct DwellSettings: Hashable, SettingGroup {
  public var minDwell: Seconds = 300
  public var restRadius: Metres = 30
  /// Larger than the rest radius: hysteresis.
  public var leaveRadius: Metres = 100
  public var radiusGrowth = 0.35
  /// Drift, an outlier, the letter box.
  public var minAbsence: Seconds = 180
  public var mergeWindow: Seconds = 600
  public var maxGap: Seconds = 120
  public var coarseError: Metres = 150
  public var walkingSpeed: MetresPerSecond = 1.4
  /// 12.6 km/h.
  public var vehicleSpeed: MetresPerSecond = 3.5
  public var maxTransportWait: Seconds = 1200
  public var boardingRadius: Metres = 100

  public init() {}

  /// Part of the section dwell, see `LocationSettings`.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "min_dwell_s", &minDwell, .quantity(10...86_400),
      "The shortest stay that is a visit.")
    setting(
      "rest_radius_m", &restRadius, .quantity(1...1000),
      "A board at rest is seen within this of its centre, beyond what the receiver's error "
        + "explains: rooms, a platform, a garden.")
    setting(
      "leave_radius_m", &leaveRadius, .quantity(1...10_000),
      "Once it stays, it has to be seen farther away than this to have left.")
    setting(
      "radius_growth", &radiusGrowth, .ratio(0...10),
      "The leave radius grows by this share with every doubling of the hours stayed: the largest "
        + "of many errors grows with the logarithm of their number.")
    setting(
      "min_absence_s", &minAbsence, .quantity(0...86_400),
      "Being away for less than this, and back, is no departure.")
    setting(
      "merge_window_s", &mergeWindow, .quantity(0...86_400),
      "A stay that goes on there within this time is the same visit.")
    setting(
      "max_gap_s", &maxGap, .quantity(1...86_400),
      "Not seen for longer than this, the board was not watched.")
    setting(
      "coarse_error_m", &coarseError, .quantity(1...100_000),
      "Locations with a larger error can contradict a stay but tell nothing for it.")
    setting(
      "walking_speed_mps", &walkingSpeed, .quantity(0.1...10),
      "Speed assumed from a stay to the next location.")
    setting(
      "vehicle_speed_mps", &vehicleSpeed, .quantity(0.1...100),
      "From this speed on the board is in a vehicle: neither walking nor drift is as fast.")
    setting(
      "max_transport_wait_s", &maxTransportWait, .quantity(0...86_400),
      "A stay that begins on foot and ends in a vehicle within this time is a wait for "
        + "transport and no visit. 0 makes every stay count.")
    setting(
      "boarding_radius_m", &boardingRadius, .quantity(1...10_000),
      "How far from the stay the vehicle is first seen to move.")
  }
}
