import Records
import Core

/// One recording of a monitor: its figures, its curve, and what is to be said before anybody
/// believes it.
public struct RecordedRun: Sendable {
  /// More time than that may not be missing.
  public static let maxMissingShare = 0.02
  /// Less says little of anything: a board's current changes by itself within seconds.
  public static let minMeasured: Seconds = 10

  public let file: String
  public let details: RecordingDetails
  public let statistics: PowerStatistics
  public let curve: ChargeCurve
  /// Readings at the end of the monitor's range: the current was larger, nobody knows by how much.
  public let saturated: Int
  /// Readings that are not later than the one before.
  public let disordered: Int
  /// Rows that could not be read.
  public let unreadable: Int
  /// Whether the recording ends before its own end.
  public let isCutOff: Bool
  /// Nil: nobody told anything meanwhile.
  public let events: Told?
  /// Whether current that flows back is meant, as where a battery is charged.
  public var mayFlowBack: Bool

  /// Why a current may flow back.
  public static let reversed =
    "VIN+ and VIN- of the monitor are exchanged, or something was charged (--charging says so)"

  /// What a daemon told from the first reading to the last.
  public struct Told: Sendable {
    /// By the state's name.
    public let states: [(state: String, charge: StateCharge)]
    /// How many were believed.
    public let fixes: Int
    public let visits: Int
    public let searches: [Search]
    /// Whether it is all that was told.
    public let isWhole: Bool
  }

  /// What speaks against its figures; empty: nothing.
  public var doubts: [String] {
    var doubts: [String] = []
    func percent(_ share: Double) -> String { FixedDecimal.text(100 * share, digits: 1) + " %" }
    if saturated > 0 {
      doubts.append(
        "the monitor was at the end of its range in "
          + "\(Counted.text(saturated, "reading")): the true current is larger; use a smaller shunt"
      )
    }
    if missingShare > Self.maxMissingShare, !isCounted {
      doubts.append("\(percent(missingShare)) of the time is missing")
    }
    if let events, !events.isWhole {
      doubts.append("what the daemon told of it ends before it does: its states are not sure")
    }
    if isCutOff { doubts.append("the file ends before the recording does") }
    if unreadable > 0 { doubts.append("\(Counted.text(unreadable, "row")) could not be read") }
    if disordered > 0 {
      doubts.append(
        "\(Counted.text(disordered, "reading is", "readings are")) not later than the one before")
    }
    if statistics.failures > 0 {
      doubts.append("\(Counted.text(statistics.failures, "reading")) failed")
    }
    if statistics.isReversed, !mayFlowBack {
      doubts.append("the current flows back, and is no energy: \(Self.reversed)")
    }
    if drawn.duration < Self.minMeasured {
      doubts.append("it is shorter than \(Self.minMeasured.inWords)")
    }
    return doubts
  }

  public var missingShare: Double {
    let all = statistics.measured + statistics.missing
    return all > 0 ? statistics.missing / all : 0
  }

  /// What flowed, and in which time. What the chip itself has counted is exact however seldom it
  /// was read; otherwise the readings are integrated, and gaps are missing.
  ///
  /// The energy is not a number where the current flows back and is not meant to.
  public var drawn: (duration: Seconds, charge: Coulombs, energy: Joules) {
    let energy = statistics.isReversed && !mayFlowBack ? Joules(.nan) : statistics.energy
    let integrated = (statistics.measured, statistics.charge, energy)
    // The counters of some chips have no sign (INA228, SLYS021A, 7.6.1.9).
    guard statistics.charge >= .zero, let energy = statistics.accumulatedEnergy, energy > 0,
      let voltage = statistics.voltage.mean, voltage > 0
    else { return integrated }
    let charge = statistics.accumulatedCharge ?? Coulombs(energy.value / voltage.value)
    return (statistics.measured + statistics.missing, charge, energy)
  }

  public var isCounted: Bool { drawn.energy == statistics.accumulatedEnergy }

  /// Nil where no time was measured.
  public var meanCurrent: Amperes? {
    let (duration, charge, _) = drawn
    return duration > 0 ? charge / duration : nil
  }

  public var meanPower: Watts? {
    let (duration, _, energy) = drawn
    return duration > 0 ? Watts(energy.value / duration.value) : nil
  }

  /// Of the mean, from shunt, gain and offset: the same in every run with this monitor. Nil where
  /// the recording does not say.
  public var systematicCurrent: Amperes? {
    guard statistics.measured > 0, statistics.systematicCharge > .zero else { return nil }
    return statistics.systematicCharge / statistics.measured
  }

  /// Of the mean, from the scatter of its readings alone (k = 1).
  var statisticalCurrent: Amperes { statistics.current.uncertaintyOfMean ?? 0 }

  /// Whether the monitor could mostly not tell the current from none.
  public var isBelowFloor: Bool { statistics.belowFloor * 2 > statistics.readings }
}
