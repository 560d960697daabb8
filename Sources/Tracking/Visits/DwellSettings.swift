import Quantities
import SettingDeclarations

/// What counts as a stay. Few constants, each with a physical meaning.
public struct DwellSettings: Hashable, SettingGroup {
  public var minimumDwell: Seconds = 300
  public var restRadius: Metres = 30
  /// Larger than the rest radius: hysteresis.
  public var leaveRadius: Metres = 100
  public var leaveGrowth = 0.35
  /// Drift, an outlier, the letter box.
  public var shortestAbsence: Seconds = 180
  public var mergeWindow: Seconds = 600
  public var silence: Seconds = 120
  public var coarseError: Metres = 150
  public var walkingSpeed: MetresPerSecond = 1.4
  /// 12.6 km/h.
  public var vehicleSpeed: MetresPerSecond = 3.5
  public var longestWait: Seconds = 1200
  public var boardingRadius: Metres = 100

  public init() {}

  /// Of the section dwell, see `PerceptionSettings`.
  static let settings: [Setting<Self>] = [
    Setting(
      "minimum_dwell_s", \.minimumDwell, .quantity(10...86_400),
      "The shortest stay that is a visit."),
    Setting(
      "rest_radius_m", \.restRadius, .quantity(1...1000),
      "A carrier at rest is seen within this of its centre, beyond what the receiver's error "
        + "explains: rooms, a platform, a garden."),
    Setting(
      "leave_radius_m", \.leaveRadius, .quantity(1...10_000),
      "Once it stays, it has to be seen farther away than this to have left."),
    Setting(
      "leave_growth", \.leaveGrowth, .ratio(0...10),
      "The leave radius grows by this share with every doubling of the hours stayed: the largest "
        + "of many errors grows with the logarithm of their number."),
    Setting(
      "shortest_absence_s", \.shortestAbsence, .quantity(0...86_400),
      "Being away for less than this, and back, is no departure."),
    Setting(
      "merge_window_s", \.mergeWindow, .quantity(0...86_400),
      "A stay that goes on within this time at the same place is the same visit."),
    Setting(
      "silence_s", \.silence, .quantity(1...86_400),
      "Not seen for longer than this, the carrier was not watched."),
    Setting(
      "coarse_error_m", \.coarseError, .quantity(1...100_000),
      "Locations with a larger error can contradict a stay but tell nothing for it."),
    Setting(
      "walking_speed_mps", \.walkingSpeed, .quantity(0.1...10),
      "How fast one goes from a stay to where one is next seen."),
    Setting(
      "vehicle_speed_mps", \.vehicleSpeed, .quantity(0.1...100),
      "Nobody walks or drifts this fast."),
    Setting(
      "longest_wait_s", \.longestWait, .quantity(0...86_400),
      "Who comes on foot and rides off from the very place within this time has waited for "
        + "transport, which is no visit. 0 makes every stay count."),
    Setting(
      "boarding_radius_m", \.boardingRadius, .quantity(1...10_000),
      "How far from the place the vehicle is first seen to move."),
  ]
}
