/// Differences between Godwit's and gpsd's results for a recording, and their reasons: one row per
/// log, every count asserted. A log that is not listed agrees completely.
struct GpsdDifference {
  /// Fixes of Godwit for whose time gpsd has no report.
  var extra = 0
  /// Times for which gpsd has a fix and Godwit has none.
  var missing = 0
  /// Same time and position, another mode.
  var mode = 0
  /// Same time, another position.
  var position = 0
  var reason: Reason

  enum Reason: String {
    /// gpsd reports a cycle at its end; the recording ends before, so gpsd lacks the last epoch.
    case endsInsideCycle
    /// gpsd does not report a UBX receiver's first cycle: recognition takes that long. The last one
    /// may be cut too.
    case recognisedLate
    /// GSA has 2 (three satellites or a held altitude); gpsd raises it to 3 because GGA carries an
    /// altitude or more than three satellites. A held altitude is not a measured one.
    case gsaSaysTwoDimensional
    /// As above, and the recording ends before the cycle does.
    case gsaSaysTwoDimensionalAndEndsInsideCycle
    /// AIS between the receiver's sentences makes gpsd miss the end of three cycles.
    case interleavedAIS
    /// Every other second of this 2 Hz receiver has no GLL, by which gpsd ends the cycle.
    case halfCycles
    /// The chart plotter stamps RMC one second late: two positions have one time. gpsd keeps
    /// RMC's, Godwit the last one in the epoch.
    case twoPlacesAtOneTime
    /// Each second has a different single sentence; gpsd is still learning the cycle's end.
    case oneSentencePerSecond
    /// GLL has 12:08:24.758 and GGA and RMC have 12:08:24.76. Godwit treats them as one epoch.
    case oneEpochTwoRoundings
    /// Recorded in 2015; gpsd assumes a week rollover and adds 1024 weeks (2034).
    case gpsdMovesDateBy1024Weeks
    /// CASIC binary frames, which Godwit does not decode; the NMEA on the line has no fix.
    case casicBinary
    /// GGA has five decimals, RMC four. gpsd keeps the last, Godwit the finer: 0.04 m apart.
    case finerSentence
    /// NAV-PVT and HNR-PVT have one time; gpsd reports the extrapolated position, Godwit the
    /// measured one.
    case measuredOverExtrapolated
  }

  static let all: [String: GpsdDifference] = [
    "ais-nmea.log": .init(extra: 3, reason: .interleavedAIS),
    "ait250.log": .init(extra: 1, reason: .endsInsideCycle),
    "bt451.log": .init(extra: 2, reason: .halfCycles),
    "bundg_zeus_9.log": .init(extra: 1, position: 38, reason: .twoPlacesAtOneTime),
    "ch-4701.log": .init(extra: 1, reason: .endsInsideCycle),
    "foretrex-201.log": .init(
      extra: 1, mode: 6, reason: .gsaSaysTwoDimensionalAndEndsInsideCycle),
    "garmin-10x.log": .init(mode: 1, reason: .gsaSaysTwoDimensional),
    "garmin25lp.log": .init(mode: 9, reason: .gsaSaysTwoDimensional),
    "gp-320fw-2019-03-28.log": .init(extra: 1, reason: .endsInsideCycle),
    "haicom-305N.log": .init(mode: 1, reason: .gsaSaysTwoDimensional),
    "humminbird-M37.log": .init(extra: 2, reason: .oneSentencePerSecond),
    "iTrek.log": .init(mode: 1, reason: .gsaSaysTwoDimensional),
    "magellan315.log": .init(missing: 2, reason: .oneEpochTwoRoundings),
    "mtk-3329.log": .init(mode: 4, reason: .gsaSaysTwoDimensional),
    "neo-m8n.log": .init(extra: 23, missing: 22, reason: .gpsdMovesDateBy1024Weeks),
    "oncore.log": .init(mode: 6, reason: .gsaSaysTwoDimensional),
    "pharos-360.log": .init(extra: 1, reason: .endsInsideCycle),
    "quectel-l76k-binary.log": .init(missing: 129, reason: .casicBinary),
    "quectel-l76k-nmea.log": .init(extra: 1, reason: .endsInsideCycle),
    "quectel.log": .init(mode: 34, reason: .gsaSaysTwoDimensional),
    "rgm3800.log": .init(mode: 1, reason: .gsaSaysTwoDimensional),
    "tcp-test.log": .init(position: 1, reason: .finerSentence),
    "tn204.log": .init(extra: 1, reason: .endsInsideCycle),
    "tomtom-mkII.log": .init(mode: 2, reason: .gsaSaysTwoDimensional),
    "u-blox-m8t-time.log": .init(extra: 1, reason: .recognisedLate),
    "ublox-8.log": .init(extra: 1, reason: .endsInsideCycle),
    "ublox-lea-4h.log": .init(
      extra: 1, mode: 4, reason: .gsaSaysTwoDimensionalAndEndsInsideCycle),
    "ublox-neo-f9v.log": .init(extra: 1, reason: .recognisedLate),
    "ublox-neo-m8l.log": .init(extra: 1, position: 1, reason: .measuredOverExtrapolated),
    "ublox-neo-m8n.log": .init(extra: 2, reason: .recognisedLate),
    "ublox-neo-m8u-hnr.log": .init(position: 1, reason: .measuredOverExtrapolated),
    "ublox-neo-m8u.log": .init(extra: 1, reason: .recognisedLate),
    "ublox-zed-f9p-hp.log": .init(extra: 1, reason: .recognisedLate),
    "ublox-zed-f9p-rtk.log": .init(extra: 1, reason: .recognisedLate),
    "ublox-zed-f9p-sfrbx.log": .init(extra: 1, reason: .recognisedLate),
    "udp-test.log": .init(position: 1, reason: .finerSentence),
    "venus634lp.log": .init(extra: 1, reason: .endsInsideCycle),
  ]

  /// Logs in which some sentences lack a checksum, and how many: gpsd accepts them.
  static let missingChecksums: [String: UInt64] = [
    "gp-320fw-2019-04-07-coldboot.log": 5, "holux-gm-210.log": 1, "skytraq-err.log": 6,
    "ublox-8.log": 1,
  ]
}
