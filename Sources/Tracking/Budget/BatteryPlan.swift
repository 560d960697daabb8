import Records
import Core

/// The daily energy that a battery allows if the receiver's share of a full one is to last for a
/// number of days: what is left of the share, spread over what is left of the days.
///
/// The rest of the board uses the same battery. When it draws more than planned, or the battery is
/// worn or cold, less is left for the receiver, but the number of days is kept. The days start anew
/// with the present level whenever the board has been supplied externally.
public struct BatteryPlan: Hashable, Sendable {
  /// The median of this many readings counts, so that one or two outliers change nothing.
  private static let compared = 5
  /// A rise by more than this means charging, or another battery: gauges with a resolution of one
  /// percent move up and down by one.
  private static let charged = 0.03
  /// The remaining time never falls below this share of the period, so that the rest of the battery
  /// is never released at once, and a plan that is overdue still has some energy.
  private static let end = 0.1

  /// The share of a full, new battery.
  private let whole: Joules
  private let period: Seconds
  /// The newest comes last.
  private var levels: [Double] = []
  /// The start of the period, on the budget's clock.
  private var began: Seconds = 0
  /// The lowest level since then.
  private var lowest = 1.0
  /// Whether the board is supplied externally.
  public private(set) var isSupplied = false

  /// - Parameters:
  ///   - whole: the share of a full battery that the receiver and the sources may use.
  ///   - period: how long it has to last.
  init(_ whole: Joules, over period: Seconds) {
    self.whole = whole
    self.period = period
  }

  /// The level relative to a new battery, the median of the last readings; nil: there is none.
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

  /// How long the rest has to last, at least.
  func remaining(after elapsed: Seconds) -> Seconds {
    guard level != nil else { return period }
    return max(period - (elapsed - began), max(.days(1), period * Self.end))
  }

  /// The energy allowed in 24 hours; constant where the battery cannot be read.
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
