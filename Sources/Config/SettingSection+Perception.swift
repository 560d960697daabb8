import ReceiverProtocols

extension SettingSection {
  /// What is made of the locations.
  static let perception = [
    SettingSection(
      "gate", "Which fixes are believed. The defaults suit carriers on foot, wheels and rails.",
      [
        .integer(
          "least_mode", \.perception.gate.leastMode, oneOf: [FixMode.twoD, .threeD],
          "2 believes fixes without altitude, 3 does not."),
        .quantity(
          "largest_error_m", \.perception.gate.largestError, 1...100_000,
          "The largest estimated horizontal error that is believed."),
        .quantity(
          "range_error_m", \.perception.gate.rangeError, 0.1...100,
          "User-equivalent range error: times HDOP it stands in for the error of a receiver that "
            + "does not estimate it. 5 m is usual for single-frequency GPS."),
        .quantity(
          "assumed_error_m", \.perception.gate.assumedError, 0.1...1000,
          "The error where the receiver tells neither an estimate nor a HDOP."),
        .integer(
          "least_satellites", \.perception.gate.leastSatellites, 0...20,
          "A fix from fewer satellites is held up by assumptions. A receiver that does not tell "
            + "their number is not judged by it."),
        .quantity(
          "highest_speed_mps", \.perception.gate.highestSpeed, 1...10_000,
          "No carrier is faster between two fixes. An airliner in a jet stream makes 330 m/s."),
        .quantity(
          "highest_acceleration_mps2", \.perception.gate.highestAcceleration, 0.1...1000,
          "No carrier changes its speed faster. Emergency braking is 10 m/s², noise adds to it."),
        .quantity(
          "largest_time_jump_s", \.perception.gate.largestTimeJump, 1...86_400,
          "Between two fixes the receiver's time passes like the board's clock, within this."),
        .integer(
          "fixes_to_recover", \.perception.gate.fixesToRecover, 1...1000,
          "So many consistent fixes elsewhere overrule the one that they contradict."),
        .quantity(
          "settled_error_m", \.perception.gate.settledError, 0.1...10_000,
          "After power-on, fixes with a larger error are not believed while it still falls."),
        .integer(
          "settling_fixes", \.perception.gate.settlingFixes, 0...1000,
          "At most so many first fixes are held back for that."),
        .quantity(
          "settling_time_s", \.perception.gate.settlingTime, 0...3600,
          "And for no longer than this."),
        .integer(
          "fixes_until_frozen", \.perception.gate.fixesUntilFrozen, 2...10_000,
          "So many identical places with a measured speed are a frozen receiver."),
      ]),
    SettingSection(
      "dwell", "What counts as a stay.",
      [
        .quantity(
          "minimum_dwell_s", \.perception.dwell.minimumDwell, 10...86_400,
          "The shortest stay that is a visit."),
        .quantity(
          "rest_radius_m", \.perception.dwell.restRadius, 1...1000,
          "A carrier at rest is seen within this of its centre, beyond what the receiver's error "
            + "explains: rooms, a platform, a garden."),
        .quantity(
          "leave_radius_m", \.perception.dwell.leaveRadius, 1...10_000,
          "Once it stays, it has to be seen farther away than this to have left."),
        .ratio(
          "leave_growth", \.perception.dwell.leaveGrowth, 0...10,
          "The leave radius grows by this share with every doubling of the hours stayed: the "
            + "largest of many errors grows with the logarithm of their number."),
        .quantity(
          "shortest_absence_s", \.perception.dwell.shortestAbsence, 0...86_400,
          "Being away for less than this, and back, is no departure."),
        .quantity(
          "merge_window_s", \.perception.dwell.mergeWindow, 0...86_400,
          "A stay that goes on within this time at the same place is the same visit."),
        .quantity(
          "silence_s", \.perception.dwell.silence, 1...86_400,
          "Not seen for longer than this, the carrier was not watched."),
        .quantity(
          "coarse_error_m", \.perception.dwell.coarseError, 1...100_000,
          "Locations with a larger error can contradict a stay but tell nothing for it."),
        .quantity(
          "walking_speed_mps", \.perception.dwell.walkingSpeed, 0.1...10,
          "How fast one goes from a stay to where one is next seen."),
        .quantity(
          "vehicle_speed_mps", \.perception.dwell.vehicleSpeed, 0.1...100,
          "Nobody walks or drifts this fast."),
        .quantity(
          "longest_wait_s", \.perception.dwell.longestWait, 0...86_400,
          "Who comes on foot and rides off from the very place within this time has waited for "
            + "transport, which is no visit. 0 makes every stay count."),
        .quantity(
          "boarding_radius_m", \.perception.dwell.boardingRadius, 1...10_000,
          "How far from the place the vehicle is first seen to move."),
        .quantity(
          "destination_reach_m", \.perception.destinationReach, 1...10_000,
          "Visits whose centres lie farther apart than this are different destinations."),
      ]),
    SettingSection(
      "trajectory", "How closely the logged way follows the one that was seen.",
      [
        .quantity(
          "sed_bound_m", \.perception.trajectory.bound, 0.1...10_000,
          "No dropped location lies farther than this from the logged line at its own time "
            + "(synchronised Euclidean distance)."),
        .quantity(
          "longest_interval_s", \.perception.trajectory.longestInterval, 1...86_400,
          "While locations come densely, one is kept at least this often: what a power cut may "
            + "lose."),
      ]),
  ]
}
