extension SettingSection {
  /// When GNSS runs.
  static let schedule = [
    SettingSection(
      "policy", "When GNSS is switched on.",
      [
        .choice(
          "name", \.policy.name,
          "\"hybrid\": Algorithm 1 of G. Stylianou, \"Efficient Spatial Tracking for iOS "
            + "Devices\". \"periodic\": one location every so often. \"continuous\": always on.")
      ]),
    SettingSection(
      "policy.hybrid", "The constants of Algorithm 1.",
      [
        .quantity(
          "swap_after_s", \.policy.hybrid.swapAfter, 5...86_400,
          "From a saved location to the next GNSS location while travelling (the paper's t)."),
        .quantity(
          "travelled_m", \.policy.hybrid.travelled, 1...100_000,
          "Below this way over the last three saved locations the carrier has arrived (the paper's "
            + "D)."),
        .quantity(
          "slu_interval_s", \.policy.hybrid.significantInterval, 10...86_400,
          "The significant-location source delivers at most this often. Where there is no such "
            + "source, a short GNSS burst at this interval stands in for it."),
        .quantity(
          "slu_distance_m", \.policy.hybrid.significantDistance, 10...100_000,
          "Displacement at which the significant-location source delivers."),
        .quantity(
          "longest_slu_interval_s", \.policy.hybrid.longestSignificantInterval, 10...86_400,
          "While the carrier stays, the interval of the bursts grows up to this."),
      ]),
    SettingSection(
      "policy.periodic", "The constant of the periodic policy.",
      [
        .quantity(
          "interval_s", \.policy.periodic.interval, 1...86_400,
          "From one location to the next switch-on.")
      ]),
    SettingSection(
      "acquisition", "How long a search may last, and how soon another follows.",
      [
        .quantity(
          "timeout_s", \.acquisition.longestLimit, 5...3600, "No search lasts longer than this."),
        .quantity(
          "shortest_timeout_s", \.acquisition.shortestLimit, 5...3600,
          "No search is given up sooner, however fast the receiver usually is. Between the two the "
            + "limit is three times the predicted time to first fix."),
        .quantity(
          "hopeless_after_s", \.acquisition.hopelessAfter, 5...3600,
          "A search without sky is given up after this time already."),
        .integer(
          "hopeless_below", \.acquisition.hopelessBelow, 0...20,
          "Without sky means: fewer satellites in view than this."),
        .quantity(
          "first_back_off_s", \.acquisition.firstBackOff, 1...86_400,
          "The pause after a failed search. It doubles with every further failure."),
        .quantity(
          "longest_back_off_s", \.acquisition.longestBackOff, 1...86_400,
          "The pause grows no longer than this."),
        .quantity(
          "cold_lock_s", \.acquisition.coldLock, 1...3600,
          "A lock that took longer was a cold or warm one: ephemeris had to be received."),
        .quantity(
          "hold_after_cold_lock_s", \.acquisition.holdAfterColdLock, 0...3600,
          "How long to stay on after such a lock, so that the next start is a hot one. One "
            + "satellite's ephemeris takes 18 to 30 s to receive (IS-GPS-200)."),
        .integer(
          "cold_reset_after", \.acquisition.coldResetAfter, 0...1000,
          "After so many failed searches in a row, each with four satellites or more in view, the "
            + "receiver is told to forget everything and starts cold; 0: never."),
      ]),
    SettingSection(
      "coarse", "Which locations of a coarse source are believed.",
      [
        .quantity(
          "accurate_m", \.coarse.accurate, 1...100_000,
          "Up to this claimed error a coarse location counts as accurate."),
        .quantity(
          "access_point_radius_m", \.coarse.accessPointRadius, 1...100_000,
          "On a Wi-Fi access point with a known place, a location farther from it than this plus "
            + "the claimed error is discarded."),
        .quantity(
          "similar_time_s", \.coarse.similarTime, 0...86_400,
          "A coarse location with a large error is replaced by a GNSS location within this time."),
        .quantity(
          "ask_again_after_s", \.coarse.askAgainAfter, 10...86_400,
          "A source that has not answered by then is asked once more. One that answers only to a "
            + "change of place may well be silent for hours."),
      ]),
  ]
}
