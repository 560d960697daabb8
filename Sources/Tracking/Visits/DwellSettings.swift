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
      "Minimum duration of a stay that becomes a visit.")
    setting(
      "rest_radius_m", &restRadius, .quantity(1...1000),
      "Radius of a stay, in addition to the receiver's error, within which a board at rest is "
        + "located: rooms, a platform, a garden.")
    setting(
      "leave_radius_m", &leaveRadius, .quantity(1...10_000),
      "Distance from the stay beyond which a location shows that the board has left.")
    setting(
      "radius_growth", &radiusGrowth, .ratio(0...10),
      "Share by which the leave radius grows with every doubling of the hours stayed: the largest "
        + "of many errors grows with the logarithm of their number.")
    setting(
      "min_absence_s", &minAbsence, .quantity(0...86_400),
      "Minimum absence: a shorter absence with a return is not a departure.")
    setting(
      "merge_window_s", &mergeWindow, .quantity(0...86_400),
      "Time within which a new stay at the same place continues the visit.")
    setting(
      "max_gap_s", &maxGap, .quantity(1...86_400),
      "Time without a location after which the board counts as not watched.")
    setting(
      "coarse_error_m", &coarseError, .quantity(1...100_000),
      "Error above which a location can contradict a stay but not support it.")
    setting(
      "walking_speed_mps", &walkingSpeed, .quantity(0.1...10),
      "Speed assumed from a stay to the next location.")
    setting(
      "vehicle_speed_mps", &vehicleSpeed, .quantity(0.1...100),
      "Speed from which the board is in a vehicle: neither walking nor drift is as fast.")
    setting(
      "max_transport_wait_s", &maxTransportWait, .quantity(0...86_400),
      "Maximum duration of a wait for transport: a stay that begins on foot and ends in a vehicle "
        + "within this time is not a visit. 0: every stay counts.")
    setting(
      "boarding_radius_m", &boardingRadius, .quantity(1...10_000),
      "Maximum distance from the stay at which the vehicle is first located in motion.")
  }
}
