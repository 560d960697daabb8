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
  public var warmUp: Seconds = 300
  public var baseline: Seconds = 300
  public var settling: Seconds = 10
  public var duration: Seconds = 900
  public var interval: Seconds = 0
  public var socket = ""
  public var maxDriftPercent = 5.0
  public var conditions: [TestCondition] = []

  private static let moment = SettingActivation.atNextRun(of: "godwit power test")

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "test", counts: Self.moment, "An energy test: conditions that are measured in turns, and how."
    )
    setting("name", &name, .text(bytes: 1...64), "What the test is called.")
    setting(
      "about", &about, .text(bytes: 0...2000),
      "What it is to find out, and after whom it is made.")
    setting(
      "order", &order, .choice,
      "\"interleaved\": A, B, A, B. \"randomized\": in every round each condition once, in an "
        + "order that the seed decides.")
    setting(
      "rounds", &rounds, .integer(1...1000),
      "How often each condition is measured. Six and more have a bootstrap interval.")
    setting("seed", &seed, .integer(0...1_000_000_000), "Decides the order of every round.")
    setting(
      "warm_up_s", &warmUp, .quantity(0...86_400),
      "Before the first baseline nothing is measured for so long.")
    setting(
      "baseline_s", &baseline, .quantity(0...86_400),
      "So long the idle board is measured before the first run and after the last; 0: it is not, "
        + "and nobody knows whether it drifted.")
    setting(
      "settle_s", &settling, .quantity(0...3600),
      "So long a condition is in force before its run is measured.")
    setting(
      "duration_s", &duration, .quantity(0.1...604_800), "How long a run is measured.")
    setting(
      "interval_s", &interval, .quantity(0...60),
      "From one reading to the next; 0: as often as the monitor converts.")
    setting(
      "socket", &socket, .text(bytes: 0...107),
      "The control socket of the daemon whose receiver's states, fixes and visits are recorded; "
        + "empty: that of the settings.")
    setting(
      "max_drift_percent", &maxDriftPercent, .ratio(0.01...100),
      "The test is not to be trusted when the two baselines differ by more.")
    setting.conflicts(conflicts)
    setting.list(
      "condition", counts: Self.moment, "What is tried: each is measured in every round.",
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
            + "make duration_s longer or interval_s shorter")
      ]
    }
    if baseline > 0, interval * 4 > baseline {
      return [
        SettingConflict(
          "interval_s", "leaves the baseline fewer than five readings; make baseline_s longer, or 0"
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
  public var interval: Seconds = 0

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting("name", &name, .text(bytes: 1...64), "What it is called in the report.")
    setting(
      "run", &command, .text(bytes: 0...2000),
      "A command for sh that runs during the run and is ended after it, with all that it has "
        + "started; none: the board is left idle. One that ends by itself sets something up.")
    setting(
      "duration_s", &duration, .quantity(0...604_800),
      "How long its runs are measured; 0: as long as the others.")
    setting(
      "interval_s", &interval, .quantity(0...3600),
      "From one reading to the next in its runs; 0: as in the others. Of a monitor that counts by "
        + "itself, runs that read it often and seldom tell what reading costs.")
  }
}
