import Notation
import Quantities

/// How long the next search will take, learnt from successful searches only: a failed one says how
/// bad the sky is, not how fast the receiver.
///
/// Two averages, because a receiver that was off for less than the life of its ephemeris starts
/// hot, and otherwise warm or cold. The weight 0.2 is the one that Meshtastic's scheduler settled
/// on.
public struct TTFFPrediction: Hashable, Sendable {
  public static let weight = 0.2
  /// Broadcast ephemeris is good for about four hours; receivers trust it for two
  /// (Quectel and SparkFun figures in the field notes lie between 2 and 4).
  public static let ephemerisLife = Seconds.hours(2)

  /// What takes longer waited for the sky.
  static let plausible = Seconds(0)...Seconds.hours(1)

  private(set) var afterShortPause: Seconds
  private(set) var afterLongPause: Seconds

  /// - Parameters: what the board file expects before anything was learnt.
  public init(hotStart: Seconds, coldStart: Seconds) {
    afterShortPause = hotStart
    afterLongPause = coldStart
  }

  /// - Parameter pause: time since the receiver last tracked; nil if it never did.
  public func predicted(afterPause pause: Seconds?) -> Seconds {
    isShort(pause) ? afterShortPause : afterLongPause
  }

  public mutating func learn(_ timeToFirstFix: Seconds, afterPause pause: Seconds?) {
    guard Self.plausible.contains(timeToFirstFix) else { return }
    if isShort(pause) {
      afterShortPause += (timeToFirstFix - afterShortPause) * Self.weight
    } else {
      afterLongPause += (timeToFirstFix - afterLongPause) * Self.weight
    }
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
  ])
}
