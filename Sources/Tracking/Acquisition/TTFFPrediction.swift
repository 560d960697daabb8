import Core

/// The predicted duration of the next attempt, learnt from attempts with good reception; others say
/// nothing about the receiver.
///
/// There are two averages, because a receiver that was off for less than the life of its ephemeris
/// mostly starts hot, and otherwise warm or cold. The weight 0.2 is that of Meshtastic's scheduler.
public struct TTFFPrediction: Hashable, Sendable {
  static let weight = 0.2
  /// An attempt may last this many times its predicted duration.
  static let limitFactor = 3.0
  /// Broadcast ephemeris is valid for about four hours; receivers use it for two (Quectel and
  /// SparkFun figures in the field notes lie between 2 and 4).
  static let ephemerisLife = Seconds.hours(2)

  /// A longer time was spent waiting for signals.
  static let plausible = Seconds(0)...Seconds.hours(1)

  private(set) var afterShortPause: Seconds
  private(set) var afterLongPause: Seconds
  /// From the board file: the minimum expected for warm starts.
  private let expectedWarmStart: Seconds
  /// The average of starts that had to receive ephemeris; nil: there was none yet.
  private(set) var learntWarmStart: Seconds?

  /// - Parameters: the board file's expectations before anything was learnt.
  public init(hotStart: Seconds, warmStart: Seconds, coldStart: Seconds) {
    afterShortPause = hotStart
    afterLongPause = coldStart
    expectedWarmStart = warmStart
  }

  /// - Parameter pause: time since the receiver last tracked; nil if it never did.
  public func predicted(afterPause pause: Seconds?) -> Seconds {
    isShort(pause) ? afterShortPause : afterLongPause
  }

  /// The time to allow under open sky. No start is certain to be hot: satellites rise whose
  /// ephemeris was never received.
  func slowest(afterPause pause: Seconds?) -> Seconds {
    max(predicted(afterPause: pause), expectedWarmStart, learntWarmStart ?? 0)
  }

  public mutating func learn(_ timeToFirstFix: Seconds, afterPause pause: Seconds?) {
    guard Self.plausible.contains(timeToFirstFix) else { return }
    if isShort(pause) {
      afterShortPause += (timeToFirstFix - afterShortPause) * Self.weight
    } else {
      afterLongPause += (timeToFirstFix - afterLongPause) * Self.weight
    }
  }

  /// A start that had to receive ephemeris took this long.
  mutating func learnWarmStart(_ timeToFirstFix: Seconds) {
    guard Self.plausible.contains(timeToFirstFix) else { return }
    let learnt = learntWarmStart ?? expectedWarmStart
    learntWarmStart = learnt + (timeToFirstFix - learnt) * Self.weight
  }

  /// An attempt was cut off in spite of good reception: a start takes longer than that, and the
  /// next attempt may last half as long again.
  mutating func learnCutOff(after searched: Seconds, afterPause pause: Seconds?) {
    guard Self.plausible.contains(searched) else { return }
    // A shorter time than predicted gives no information.
    if searched > predicted(afterPause: pause) { learn(searched, afterPause: pause) }
    learntWarmStart = max(learntWarmStart ?? expectedWarmStart, searched * 1.5 / Self.limitFactor)
  }

  private func isShort(_ pause: Seconds?) -> Bool {
    pause.map { $0 <= Self.ephemerisLife } ?? false
  }
}

extension TTFFPrediction {
  private static let time = SnapshotCoding<Seconds>.of(.number { plausible.contains(Seconds($0)) })

  /// An earlier run's values are kept where they are plausible.
  static let fields = SnapshotFields<TTFFPrediction>([
    .kept("after_short_pause_s", \.afterShortPause, time),
    .kept("after_long_pause_s", \.afterLongPause, time),
    .omittable("warm_start_s", \.learntWarmStart, time),
  ])
}
