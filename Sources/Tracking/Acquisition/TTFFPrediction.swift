import Core

/// How long the next search will take, learnt from those under a sky: a search that finds none says
/// nothing of the receiver.
///
/// Two averages, because a receiver that was off for less than the life of its ephemeris mostly
/// starts hot, and otherwise warm or cold. The weight 0.2 is the one that Meshtastic's scheduler
/// settled on.
public struct TTFFPrediction: Hashable, Sendable {
  public static let weight = 0.2
  /// A search may last so many times what it is expected to.
  static let limitFactor = 3.0
  /// Broadcast ephemeris is good for about four hours; receivers trust it for two
  /// (Quectel and SparkFun figures in the field notes lie between 2 and 4).
  public static let ephemerisLife = Seconds.hours(2)

  /// What takes longer waited for the sky.
  static let plausible = Seconds(0)...Seconds.hours(1)

  private(set) var afterShortPause: Seconds
  private(set) var afterLongPause: Seconds
  /// Of the board file: warm starts are expected to take so long at least.
  private let expectedWarmStart: Seconds
  /// What starts took that had to receive ephemeris; nil: there was none yet.
  private(set) var learntWarmStart: Seconds?

  /// - Parameters: what the board file expects before anything was learnt.
  public init(hotStart: Seconds, warmStart: Seconds, coldStart: Seconds) {
    afterShortPause = hotStart
    afterLongPause = coldStart
    expectedWarmStart = warmStart
  }

  /// - Parameter pause: time since the receiver last tracked; nil if it never did.
  public func predicted(afterPause pause: Seconds?) -> Seconds {
    isShort(pause) ? afterShortPause : afterLongPause
  }

  /// What must be allowed for under a clear sky. No start is certain to be hot: satellites rise
  /// whose ephemeris nobody has received.
  public func slowest(afterPause pause: Seconds?) -> Seconds {
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

  /// A start that received ephemeris took so long.
  public mutating func learnWarmStart(_ timeToFirstFix: Seconds) {
    guard Self.plausible.contains(timeToFirstFix) else { return }
    let learnt = learntWarmStart ?? expectedWarmStart
    learntWarmStart = learnt + (timeToFirstFix - learnt) * Self.weight
  }

  /// A search was cut off although the sky was clear: it would have taken longer than that, and the
  /// next may last half as long again.
  public mutating func learnCutOff(after searched: Seconds, afterPause pause: Seconds?) {
    guard Self.plausible.contains(searched) else { return }
    // That it would have taken longer than so little is no news.
    if searched > predicted(afterPause: pause) { learn(searched, afterPause: pause) }
    learntWarmStart = max(learntWarmStart ?? expectedWarmStart, searched * 1.5 / Self.limitFactor)
  }

  private func isShort(_ pause: Seconds?) -> Bool {
    pause.map { $0 <= Self.ephemerisLife } ?? false
  }
}

extension TTFFPrediction {
  private static let time = SnapshotCoding<Seconds>.of(.number { plausible.contains(Seconds($0)) })

  /// What an earlier run learnt is taken over as far as it is plausible.
  static let fields = SnapshotFields<TTFFPrediction>([
    .kept("after_short_pause_s", \.afterShortPause, time),
    .kept("after_long_pause_s", \.afterLongPause, time),
    .omittable("warm_start_s", \.learntWarmStart, time),
  ])
}
