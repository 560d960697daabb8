import Records
import Core

/// One recording of a monitor: its figures, its curve, and doubts about them.
public struct RecordedRun: Sendable {
  /// The largest acceptable share of missing time.
  static let maxMissingShare = 0.02
  /// A shorter recording is of little value: a board's current changes by itself within seconds.
  static let minMeasured: Seconds = 10

  let file: String
  public let details: RecordingDetails
  public let statistics: PowerStatistics
  public let curve: ChargeCurve
  /// Readings at the end of the monitor's range: the true current was larger by an unknown amount.
  public let saturated: Int
  /// Readings that are not later than the previous one.
  let disordered: Int
  /// Rows that could not be read.
  let unreadable: Int
  /// Whether the recording is incomplete.
  public let isCutOff: Bool
  /// Nil: there were no events of a daemon.
  let events: RunSummary?
  /// Whether a reverse current is expected, as where a battery is charged.
  public var allowsReverseCurrent: Bool

  /// Possible reasons of a reverse current.
  static let reversed =
    "VIN+ and VIN- of the monitor are swapped, or a battery was charged (use --charging)"

  /// The events of a daemon from the first reading to the last.
  public struct RunSummary: Sendable {
    /// By the state's name.
    let states: [(state: String, charge: StateCharge)]
    /// The number of accepted fixes.
    public let fixes: Int
    let visits: Int
    let searches: [Search]
    /// Whether the events are complete.
    let isWhole: Bool
  }

  /// Doubts about its figures; empty: none.
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
      doubts.append("the daemon's reports end before the recording does: its states are uncertain")
    }
    if isCutOff { doubts.append("the file ends before the recording does") }
    if unreadable > 0 { doubts.append("\(Counted.text(unreadable, "row")) could not be read") }
    if disordered > 0 {
      doubts.append(
        "\(Counted.text(disordered, "reading is", "readings are")) not later than the previous one")
    }
    if statistics.failures > 0 {
      doubts.append("\(Counted.text(statistics.failures, "reading")) failed")
    }
    if statistics.isReversed, !allowsReverseCurrent {
      doubts.append("the current is reversed, so there is no energy: \(Self.reversed)")
    }
    if drawn.duration < Self.minMeasured {
      doubts.append("it is shorter than \(Self.minMeasured.inWords)")
    }
    return doubts
  }

  var missingShare: Double {
    let all = statistics.measured + statistics.missing
    return all > 0 ? statistics.missing / all : 0
  }

  /// The duration, charge and energy. A chip's own counters are exact however rarely they were
  /// read; otherwise the readings are integrated, and gaps are missing.
  ///
  /// The energy is not a number where there is an unexpected reverse current.
  public var drawn: (duration: Seconds, charge: Coulombs, energy: Joules) {
    let energy = statistics.isReversed && !allowsReverseCurrent ? Joules(.nan) : statistics.energy
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

  /// The uncertainty of the mean from shunt, gain and offset: the same in every run with this
  /// monitor. Nil if the recording does not state it.
  public var systematicCurrent: Amperes? {
    guard statistics.measured > 0, statistics.systematicCharge > .zero else { return nil }
    return statistics.systematicCharge / statistics.measured
  }

  /// The uncertainty of the mean from the scatter of its readings alone (k = 1).
  var statisticalCurrent: Amperes { statistics.current.uncertaintyOfMean ?? 0 }

  /// Whether the monitor could mostly not distinguish the current from zero.
  var isBelowFloor: Bool { statistics.belowFloor * 2 > statistics.readings }
}
