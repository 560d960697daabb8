import Records
import Core

/// A receiver's energy model, as far as it follows from stored segments and sessions.
public struct ReceiverFit: Sendable {
  /// The states whose currents the settings have, in their order.
  static let states: [GnssState] = [.acquiring, .tracking, .sleeping, .off]

  /// The voltage measured by the monitor: energy over charge. Its accuracy is unknown.
  public let supply: Volts?
  private let currents: [GnssState: Finding<Amperes>]
  private let startTimes: [StartKnowledge: Finding<Seconds>]
  /// The share of slow hot starts, and their duration.
  let slowStarts: (percent: Finding<SettingNumber>, time: Finding<Seconds>)
  public let distributions: [StartDistribution]
  /// Unused segments by reason, the most frequent reason first.
  public let leftOut: [(reason: String, count: Int)]
  public let segmentCount: Int
  public let startCount: Int
  /// Anomalies in the data.
  public let notices: [FitNotice]

  /// - Parameter countsSimulated: whether data of the virtual board counts as measured.
  public init(
    _ runs: [MeasuredRun], calibration: StartCalibration, countsSimulated: Bool = false
  ) throws(FitFailure) {
    let choice = SegmentChoice(runs, countsSimulated: countsSimulated)
    try Self.check(runs, choice)
    let fits = Self.states.map { CurrentFit(segments: choice.chosen[$0] ?? [], state: $0) }
    let errors = MonitorErrors(choice.chosen)
    currents = Dictionary(uniqueKeysWithValues: fits.map { ($0.state, $0.finding(errors)) })
    supply = Self.supply(fits)
    let histories = runs.map { StartHistory($0) }
    let starts = histories.flatMap(\.starts)
    let startFits = [StartKnowledge.cold, .warm, .hot].map { knowledge in
      StartFit(
        knowledge: knowledge,
        times: starts.filter { $0.knowledge == knowledge && $0.isOpenSky == true }
          .map(\.timeToFirstFix),
        unfinished: knowledge == .hot ? histories.flatMap(\.unfinished) : [],
        calibration: calibration)
    }
    startTimes = Dictionary(
      uniqueKeysWithValues: startFits.map {
        ($0.knowledge, $0.finding(missing: Self.missing($0.knowledge, starts)))
      })
    let hot = startFits[2]
    let missingHot = Self.missing(.hot, starts)
    slowStarts = (hot.slowPercent(missing: missingHot), hot.slowTime(missing: missingHot))
    distributions = StartDistribution.all(starts, hotLimit: hot.usable.max())
    leftOut = choice.flaws.map { (reason: $0.key.rawValue, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    segmentCount = choice.total
    startCount = starts.count
    notices =
      fits.compactMap { fit in
        fit.jump.map { .jump(fit.state, since: $0.since, share: $0.share) }
      } + histories.filter { $0.clockSteps > 0 }.map { .clockSteps($0.clockSteps) }
      + startFits.compactMap(\.notice)
  }

  func current(in state: GnssState) -> Finding<Amperes> {
    currents[state] ?? .undetermined(because: "")
  }

  func startTime(_ knowledge: StartKnowledge) -> Finding<Seconds> {
    startTimes[knowledge] ?? .undetermined(because: "")
  }

  private static func check(_ runs: [MeasuredRun], _ choice: SegmentChoice) throws(FitFailure) {
    guard choice.total > 0 else { throw .noSegments }
    guard !choice.chosen.isEmpty else {
      throw .nothingMeasured(
        modelled: choice.flaws[.modelled] ?? 0, simulated: choice.flaws[.simulated] ?? 0)
    }
    let monitors = Set(runs.compactMap(\.monitor))
    guard monitors.count < 2 else { throw .monitorsDiffer(monitors.sorted()) }
  }

  private static func supply(_ fits: [CurrentFit]) -> Volts? {
    let on = fits.filter { [.acquiring, .tracking].contains($0.state) }.flatMap(\.segments)
    let charge = on.reduce(0.0) { $0 + $1.charge.value }
    let energy = on.reduce(0.0) { $0 + $1.energy.value }
    guard charge > 0, (0.5...30).contains(energy / charge) else { return nil }
    return Volts(energy / charge)
  }

  /// Why there is no start of a kind at all.
  private static func missing(_ knowledge: StartKnowledge, _ starts: [ReceiverStart]) -> String {
    if starts.isEmpty { return "no session had a fix" }
    guard !starts.contains(where: { $0.knowledge == knowledge }) else {
      return "no \(knowledge.rawValue) start under open sky (a location of "
        + "\(Int(ReceiverStart.openSkyAccuracy.value)) m or better)"
    }
    switch knowledge {
    case .hot:
      return "no start within 30 min of a session that had a fix for 30 s; "
        + "acquisition.max_hot_start_s = 1 keeps the receiver on for so long"
    case .warm:
      return "no start 4 h or more after the last fix, and none by godwit gnss restart warm"
    case .cold, .uncertain:
      return "no start after a cut without backup supply (power_switch.backup_supply = false), and "
        + "none by godwit gnss restart cold"
    }
  }
}

/// An anomaly in the data of a fit.
public enum FitNotice: Sendable {
  /// The current of a state has changed since then, by this share.
  case jump(GnssState, since: UTCInstant, share: Double)
  /// The clock was set during or between this number of sessions.
  case clockSteps(Int)
  /// The number of starts that took at least two and a half times the median, and their mean; they
  /// are excluded from the results.
  case slowStarts(StartKnowledge, Int, of: Int, mean: Seconds)
}

extension StartFit {
  fileprivate var notice: FitNotice? {
    let slow = slow
    guard !slow.isEmpty, knowledge != .hot || slow.count < Self.fewestSlow else { return nil }
    return .slowStarts(
      knowledge, slow.count, of: times.count, mean: slow.reduce(0, +) / Double(slow.count))
  }
}
