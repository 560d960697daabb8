import Core
import Records

/// The segments from which a current can be learnt, and why the others are unsuitable.
struct SegmentChoice {
  /// Why a segment is unsuitable.
  enum Flaw: String, CaseIterable {
    case modelled = "modelled, not measured"
    case simulated = "simulated: --simulated treats them as measured"
    case absurd = "with an impossible current or duration"
    case empty = "of no energy at all, or without any uncertainty"
    case partlyModelled = "measured for less than half of their charge"
    case tooLong = "at rest for more than an hour, which may be modelled in part"
    case tooShort = "searching for less than 3 s, in which the monitor may not have been read"
  }

  /// While the receiver is on, the state changes by itself, and the first reading may coincide with
  /// the fix and have its current (`EnergyMeter.take`).
  static let shortestSearch: Seconds = 3
  /// Readings farther apart than this are not joined (`EnergyMeter.Settings`).
  static let longestRest: Seconds = .hours(1)
  /// The largest current that the settings accept.
  static let largestCurrent: Amperes = 2

  private(set) var chosen: [GnssState: [MeasuredSegment]] = [:]
  private(set) var flaws: [Flaw: Int] = [:]
  private(set) var total = 0

  /// - Parameter countsSimulated: whether data of the virtual board counts as measured.
  init(_ runs: [MeasuredRun], countsSimulated: Bool) {
    for run in runs {
      for segment in run.segments.sorted(by: { $0.start < $1.start }) {
        total += 1
        if let flaw = Self.flaw(segment, countsSimulated: countsSimulated) {
          flaws[flaw, default: 0] += 1
        } else if let uncertainty = segment.energyUncertainty {
          let state = segment.state == .coarse ? GnssState.off : segment.state
          chosen[state, default: []].append(MeasuredSegment(segment, uncertainty))
        }
      }
    }
  }

  private static func flaw(_ segment: PowerSegment, countsSimulated: Bool) -> Flaw? {
    switch segment.basis {
    case .modelled: return .modelled
    case .simulated where !countsSimulated: return .simulated
    case .measured, .simulated: break
    }
    let isNumber =
      segment.duration.isFinite && segment.charge.isFinite && segment.energy.isFinite
      && segment.energyUncertainty?.isFinite ?? true
    guard isNumber, segment.duration > 0, segment.duration < .days(366) else { return .absurd }
    let current = segment.charge.value / segment.duration.value
    guard current.magnitude <= largestCurrent.value else { return .absurd }
    switch segment.state {
    case .acquiring where segment.duration < shortestSearch: return .tooShort
    case .off where segment.duration > longestRest, .coarse where segment.duration > longestRest,
      .sleeping where segment.duration > longestRest:
      return .tooLong
    default: break
    }
    guard let uncertainty = segment.energyUncertainty else { return .partlyModelled }
    return segment.energy.value == 0 || uncertainty <= 0 ? .empty : nil
  }
}

/// A segment that was measured throughout.
struct MeasuredSegment {
  let start: UTCInstant
  let duration: Seconds
  let current: Amperes
  let energy: Joules
  let charge: Coulombs
  /// Standard uncertainty of `current`, from its monitor's errors and the scatter of its readings.
  let uncertainty: Amperes

  init(_ segment: PowerSegment, _ energyUncertainty: Joules) {
    start = segment.start
    duration = segment.duration
    charge = segment.charge
    energy = segment.energy
    let current = Amperes(segment.charge.value / segment.duration.value)
    self.current = current
    // A monitor's uncertainty applies to the current; the voltage is a factor.
    uncertainty = Amperes(current.value.magnitude * (energyUncertainty / energy).magnitude)
  }
}
