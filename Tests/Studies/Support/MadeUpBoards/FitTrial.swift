import Records
import Analysis
import Core
import Tracking
import VirtualDevice

/// One generated board measured as docs/manual/receiver-model.md describes, and fitted.
public struct FitTrial: Sendable {
  /// A parameter that the data determine.
  public struct Told: Sendable {
    public let key: String
    public let truth: Double
    public let estimate: Estimate<SettingNumber>

    public var isCovered: Bool {
      (estimate.low.value...estimate.high.value).contains(truth)
    }
  }

  public let board: MadeUpBoard
  public let fit: ReceiverFit
  public let told: [Told]
  /// The keys of the parameters that the data do not determine.
  public let untold: [String]
  /// Upper limits that the truth exceeds.
  public let brokenLimits: [String]

  /// Four times a quarter of an hour of tracking, two days with a fix every ten minutes, and with a
  /// backup supply five days with one every five hours: under open sky, and on for half a minute
  /// with each fix.
  ///
  /// - Parameter days: replaces the two days.
  public init(_ board: MadeUpBoard, days: Double = 2) throws(FitFailure) {
    self.board = board
    var plan = [(PolicySettings, days: Double)](repeating: (.continuous, 1 / 96), count: 4)
    plan.append((.periodic(PeriodicSettings(interval: .minutes(10))), days))
    if board.hasBackup { plan.append((.periodic(PeriodicSettings(interval: .hours(5))), 5)) }
    let runs = plan.enumerated().map { index, part in
      Self.run(board, part.0, days: part.days, run: UInt64(index))
    }
    let fit = try ReceiverFit(
      runs, calibration: StartCalibration(VirtualReceiverSettings()))
    self.fit = fit
    var told: [Told] = []
    var untold: [String] = []
    var brokenLimits: [String] = []
    for parameter in FittedParameter.all(of: fit) {
      let truth = Self.value(parameter.key, of: board.truth)
      switch parameter.finding {
      case .determined(let estimate):
        told.append(Told(key: parameter.key, truth: truth, estimate: estimate))
      case .atMost(let limit, _):
        untold.append(parameter.key)
        if truth > limit.value { brokenLimits.append(parameter.key) }
      case .undetermined: untold.append(parameter.key)
      }
    }
    self.told = told
    self.untold = untold
    self.brokenLimits = brokenLimits
  }

  private static func run(
    _ board: MadeUpBoard, _ policy: PolicySettings, days: Double, run: UInt64
  ) -> MeasuredRun {
    var monitor = board.monitor
    monitor.run = run
    var settings = TrackerSettings(policy: policy)
    settings.receiver = board.dataSheet
    settings.acquisition.maxHotStart = 1
    settings.acquisition.minTimeout = 180
    let store = BoardRun(
      board, receiver: board.truth, monitor: monitor, settings: settings,
      truth: openSky(days: Int(days) + 1, seed: board.seed), days: days)
    return MeasuredRun(
      name: "made up", keepsNavigationData: board.hasBackup, segments: store.segments,
      sessions: store.sessions, accuracies: store.accuracies)
  }

  /// The board stays in the park all the time.
  private static func openSky(days: Int, seed: UInt64) -> PlannedTruth {
    let places = DayPlan.townDweller.week.joined().map(\.destination)
    guard let park = places.first(where: { $0.reception == .open && $0.name == "park" }) else {
      preconditionFailure("the town has a park")
    }
    return PlannedTruth(
      DayPlan(home: park, week: [[PlannedTrip]](repeating: [], count: 7)),
      from: UTCInstant(seconds: 1_777_852_800), days: days, seed: seed)
  }

  private static func value(_ key: String, of model: ReceiverEnergyModel) -> Double {
    switch key {
    case "acquiring_mA": model.acquiring.value * 1000
    case "tracking_mA": model.tracking.value * 1000
    case "sleeping_mA": model.sleeping.value * 1000
    case "off_mA": model.off.value * 1000
    case "cold_start_s": model.coldStart.value
    case "warm_start_s": model.warmStart.value
    case "hot_start_s": model.hotStart.value
    case "slow_start_percent": model.slowStartPercent
    case "slow_start_s": model.slowStart.value
    default: .nan
    }
  }
}

extension FitTrial {
  /// The data sheet's model with the fitted values replaced: the result of `--board` with the part
  /// file beside the data sheet's.
  public var fitted: ReceiverEnergyModel {
    var model = board.dataSheet
    for told in told {
      let value = told.estimate.value.value
      switch told.key {
      case "acquiring_mA": model.acquiring = Amperes(milliamperes: value)
      case "tracking_mA": model.tracking = Amperes(milliamperes: value)
      case "sleeping_mA": model.sleeping = Amperes(milliamperes: value)
      case "off_mA": model.off = Amperes(milliamperes: value)
      case "cold_start_s": model.coldStart = Seconds(value)
      case "warm_start_s": model.warmStart = Seconds(value)
      case "hot_start_s": model.hotStart = Seconds(value)
      case "slow_start_percent": model.slowStartPercent = value
      case "slow_start_s": model.slowStart = Seconds(value)
      default: break
      }
    }
    if let supply = fit.supply { model.supply = supply }
    return model
  }

  /// A week of a life, as the board lives it and as `simulate` predicts it.
  public func week(of life: Life, seed: UInt64, policy: PolicySettings) -> WeekComparison {
    var settings = TrackerSettings(policy: policy)
    settings.receiver = fitted
    func run(_ receiver: ReceiverEnergyModel, _ monitor: VirtualMonitorSettings) -> BoardRun {
      BoardRun(
        board, receiver: receiver, monitor: monitor, settings: settings,
        truth: PlannedTruth(
          life.itinerary(seed: seed), from: UTCInstant(seconds: 1_777_852_800), days: 7,
          seed: seed),
        days: 7)
    }
    func otherLuck(_ model: ReceiverEnergyModel) -> [ReceiverEnergyModel] {
      [0.998, 1.001, 1.003].map { factor in
        var model = model
        model.hotStart = model.hotStart * factor
        model.warmStart = model.warmStart * factor
        model.coldStart = model.coldStart * factor
        return model
      }
    }
    return WeekComparison(
      drawn: run(board.truth, board.monitor).trueEnergy,
      drawnWithOtherLuck: otherLuck(board.truth).map { run($0, board.monitor).trueEnergy },
      predicted: run(fitted, VirtualMonitorSettings()).energy,
      predictedWithOtherLuck: otherLuck(fitted).map { run($0, VirtualMonitorSettings()).energy })
  }
}

/// The energy of a board in a week, and the prediction.
public struct WeekComparison: Sendable {
  public let drawn: Joules
  /// The same board's energy if its searches take a few thousandths more or less: after a search
  /// that ends a second later, the same week takes another course.
  public let drawnWithOtherLuck: [Joules]
  public let predicted: Joules
  public let predictedWithOtherLuck: [Joules]

  /// The prediction's error, as a share of the true energy.
  public var error: Double { (predicted - drawn) / drawn }
  /// The largest deviation among the week's own repetitions.
  public var luck: Double {
    drawnWithOtherLuck.map { ($0 - drawn) / drawn }.max { $0.magnitude < $1.magnitude } ?? 0
  }

  /// The deviation of the mean prediction from the mean true energy: the error that is left when
  /// chance is averaged out on both sides.
  public var expectedError: Double {
    let drawn = drawnWithOtherLuck.reduce(self.drawn, +)
    return (predictedWithOtherLuck.reduce(predicted, +) - drawn) / drawn
  }

  /// Several weeks combined.
  public init(sumOf weeks: [WeekComparison]) {
    drawn = weeks.reduce(0) { $0 + $1.drawn }
    predicted = weeks.reduce(0) { $0 + $1.predicted }
    func sums(_ repeated: (WeekComparison) -> [Joules]) -> [Joules] {
      (weeks.first.map(repeated)?.indices ?? 0..<0).map { index in
        weeks.reduce(0) { $0 + repeated($1)[index] }
      }
    }
    drawnWithOtherLuck = sums(\.drawnWithOtherLuck)
    predictedWithOtherLuck = sums(\.predictedWithOtherLuck)
  }

  init(
    drawn: Joules, drawnWithOtherLuck: [Joules], predicted: Joules,
    predictedWithOtherLuck: [Joules]
  ) {
    self.drawn = drawn
    self.drawnWithOtherLuck = drawnWithOtherLuck
    self.predicted = predicted
    self.predictedWithOtherLuck = predictedWithOtherLuck
  }
}
