import Core

/// The definition of an energy test: a small file that can be shared and cited.
public struct TestProtocol: Hashable, SettingGroup {
  public enum Order: String, Sendable, CaseIterable {
    /// A, B, C, A, B, C: slow drift affects all equally.
    case interleaved
    /// The conditions of every round in random order: effects in time with the rounds affect all
    /// equally, too.
    case randomized
  }

  public var name = ""
  public var about = ""
  public var order = Order.randomized
  public var rounds = 6
  public var seed = 1
  var warmUp: Seconds = 300
  public var baseline: Seconds = 300
  var settling: Seconds = 10
  public var duration: Seconds = 900
  var interval: Seconds = 0
  public var socket = ""
  public var maxDriftPercent = 5.0
  public var conditions: [TestCondition] = []

  private static let moment = SettingActivation.atNextRun(of: "godwit power test")

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "test", counts: Self.moment, "An energy test: conditions that are measured alternately."
    )
    setting("name", &name, .text(bytes: 1...64), "Name of the test.")
    setting(
      "about", &about, .text(bytes: 0...2000),
      "Purpose and origin of the test.")
    setting(
      "order", &order, .choice,
      "Order of the runs. \"interleaved\": A, B, A, B. \"randomized\": in every round each "
        + "condition once, in an order that depends on the seed.")
    setting(
      "rounds", &rounds, .integer(1...1000),
      "Number of runs of each condition. Six and more have a bootstrap interval.")
    setting("seed", &seed, .integer(0...1_000_000_000), "Seed of the order of every round.")
    setting(
      "warm_up_s", &warmUp, .quantity(0...86_400),
      "Time before the first baseline in which nothing is measured.")
    setting(
      "baseline_s", &baseline, .quantity(0...86_400),
      "Duration of a measurement of the idle board before the first run and after the last. 0: no "
        + "baseline, so that drift is unknown.")
    setting(
      "settle_s", &settling, .quantity(0...3600),
      "Time for which a condition is active before its run is measured.")
    setting(
      "duration_s", &duration, .quantity(0.1...604_800), "Duration of a run.")
    setting(
      "interval_s", &interval, .quantity(0...60),
      "Interval of the readings. 0: as often as the monitor converts.")
    setting(
      "socket", &socket, .text(bytes: 0...107),
      "Control socket of the daemon whose receiver states, fixes and visits are recorded. Empty: "
        + "control.socket of the settings.")
    setting(
      "max_drift_percent", &maxDriftPercent, .ratio(0.01...100),
      "Maximum difference of the two baselines; beyond it, do not rely on the test.")
    setting.conflicts(conflicts)
    setting.list(
      "condition", counts: Self.moment, "A condition; each is measured in every round.",
      &conditions, atMost: 32,
      required: ["name"])
  }

  private var conflicts: [SettingConflict] {
    var names: Set<String> = []
    if let twice = conditions.first(where: { !names.insert($0.name).inserted }) {
      return [SettingConflict("name", "has two conditions called \"\(twice.name)\"; rename one")]
    }
    if conditions.isEmpty {
      return [SettingConflict("name", "has no condition; add [[condition]] with a name")]
    }
    if let sparse = conditions.first(where: { interval(of: $0) * 4 > duration(of: $0) }) {
      return [
        SettingConflict(
          "interval_s",
          "leaves \"\(sparse.name)\" fewer than five readings in \(duration(of: sparse).inWords); "
            + "increase duration_s or decrease interval_s")
      ]
    }
    if baseline > 0, interval * 4 > baseline {
      return [
        SettingConflict(
          "interval_s",
          "leaves the baseline fewer than five readings; increase baseline_s, or set it to 0"
        )
      ]
    }
    return []
  }

  /// The interval between readings in its runs; 0: as often as the monitor converts.
  func interval(of condition: TestCondition) -> Seconds {
    condition.interval > 0 ? condition.interval : interval
  }

  /// How long a run of that condition is measured.
  func duration(of condition: TestCondition) -> Seconds {
    condition.duration > 0 ? condition.duration : duration
  }
}

/// One of the conditions that a test compares.
public struct TestCondition: Hashable, SettingGroup {
  public var name = ""
  public var command = ""
  public var duration: Seconds = 0
  var interval: Seconds = 0

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting("name", &name, .text(bytes: 1...64), "Name of the condition in the report.")
    setting(
      "run", &command, .text(bytes: 0...2000),
      "Command for sh that runs during the run and is ended after it, with all processes that it "
        + "has started. Empty: the board stays idle. A command that ends by itself is a set-up "
        + "step."
    )
    setting(
      "duration_s", &duration, .quantity(0...604_800),
      "Duration of its runs. 0: the same as the others.")
    setting(
      "interval_s", &interval, .quantity(0...3600),
      "Interval of the readings in its runs. 0: as in the others. With a monitor that accumulates "
        + "by itself, runs with frequent and rare readings show the cost of a reading.")
  }
}
