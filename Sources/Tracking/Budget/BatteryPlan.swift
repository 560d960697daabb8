import Records
import Core

/// What a battery allows a day, if what the receiver may take of a full one is to last for some
/// days: as much as is left of that, for what is left of the days.
///
/// The rest of the board lives on the same battery. When it takes more than was thought, or the
/// battery is worn or cold, less is left for the receiver, and the days last nevertheless. Whenever
/// something else has supplied the board the days begin anew, with what the battery holds then.
public struct BatteryPlan: Hashable, Sendable {
  /// As many readings are compared: one or two that make no sense change nothing.
  private static let compared = 5
  /// So much more than before has been charged, or it is another battery: gauges that know percents
  /// only go up and down by one.
  private static let charged = 0.03
  /// In the end what is left is spread over so much of the days: it never becomes everything at
  /// once, and whoever comes late still finds something.
  private static let end = 0.1

  /// Of a full, new battery.
  private let whole: Joules
  private let period: Seconds
  /// The last is the newest.
  private var levels: [Double] = []
  /// Since when the days count, on the budget's clock.
  private var began: Seconds = 0
  /// The lowest level since then.
  private var lowest = 1.0
  /// Whether something else supplies the board.
  public private(set) var isSupplied = false

  /// - Parameters:
  ///   - whole: what the receiver and the sources may take of a full battery.
  ///   - period: for how long it has to last.
  public init(_ whole: Joules, over period: Seconds) {
    self.whole = whole
    self.period = period
  }

  /// How full it is, of a new one, as the middle of the last readings says; nil: none has come.
  public var level: Double? { levels.isEmpty ? nil : levels.sorted()[levels.count / 2] }

  /// - Parameter elapsed: how long the budget has run.
  mutating func read(_ reading: BatteryReading, after elapsed: Seconds) {
    let isFirst = levels.isEmpty
    levels = (levels + [reading.level]).suffix(Self.compared)
    isSupplied = reading.isSupplied
    guard let level else { return }
    if isFirst || isSupplied || level > lowest + Self.charged {
      began = elapsed
      lowest = level
    }
    lowest = min(lowest, level)
  }

  /// For how long what is left has to last, at least.
  func remaining(after elapsed: Seconds) -> Seconds {
    guard level != nil else { return period }
    return max(period - (elapsed - began), max(.days(1), period * Self.end))
  }

  /// What may be taken in 24 hours. Where the battery cannot be read that is always the same.
  func daily(after elapsed: Seconds) -> Joules {
    guard let level else { return whole * (Seconds.days(1) / period) }
    return whole * level * (Seconds.days(1) / remaining(after: elapsed))
  }
}

// MARK: Over a restart

extension BatteryPlan {
  static let fields = SnapshotFields<BatteryPlan>([
    .defaulted("levels", \.levels, .list(0...compared, of: .number(0...1)), []),
    .defaulted("lowest_level", \.lowest, .number(0...1), 1),
    .defaulted("began_s", \.began, .of(.number(0...4e9)), 0),
  ])
}
