import Records
import Core

/// What the receiver draws and has drawn.
public struct EnergyDraw: Hashable, Sendable {
  /// Since a fixed moment: the receiver in all its states, and the sources.
  let total: Joules
  /// While GNSS is not in demand, including the sources.
  let resting: Watts
  /// While the receiver is searching.
  let searching: Watts
  /// Whether the latest part came from an external supply and does not count for a budget.
  var isFree = false

  init(total: Joules, resting: Watts, searching: Watts) {
    self.total = total
    self.resting = resting
    self.searching = searching
  }
}

/// An energy budget: no seven days use more than the budget of seven days. In its first week the
/// limit is that of the time elapsed, at least one day.
///
/// It runs on the boot clock and needs no date. What a day at rest leaves over is available for
/// journeys within the week. Time while nothing runs adds nothing, because its length is unknown.
///
/// A search cannot be split, and a receiver at rest continues to draw: both amounts are held back,
/// so that a search in progress can finish.
public struct EnergyBudget: Hashable, Sendable {
  private static let day = Seconds.days(1)
  private static let week = Seconds.days(7)
  /// The resolution of the history of spending. A piece counts until all of it is a week old.
  private static let piece = Seconds.hours(6)
  private static let pieces = Int(week / piece) + 1
  /// In days of budget: the reserve for journeys that are not foreseen.
  private static let reserve = 0.1
  /// How long a search in progress can go on: between buildings a cold start takes 60 s.
  private static let search: Seconds = 60
  /// The most that is held back for a search, as a share of a day's budget.
  private static let maxMargin = 0.6
  /// The time until a receiver has stopped after the command.
  private static let stopping: Seconds = 2
  /// How often an exhausted budget is checked: only a timer wake.
  private static let recheck: Seconds = .minutes(30)
  /// The limit for plausible spending of a receiver: 1 kW for a year.
  private static let absurd = Joules(3e10)

  /// Per 24 hours.
  public private(set) var daily: Joules
  /// Determines `daily`; nil: it is fixed.
  public private(set) var battery: BatteryPlan?
  /// The start of the account; before the boot if an earlier run began it.
  private var began: BootInstant?
  private var latest: BootInstant = .zero
  /// The last piece is the present one.
  private var spending: [Joules] = [0]
  private var present = 0
  /// The last reported draw.
  private(set) var draw: EnergyDraw?
  /// Whether the budget is exhausted, until a whole search is affordable again.
  public private(set) var isSpent = false
  /// When to check again, while it is exhausted.
  private(set) var nextCheck: BootInstant = .zero

  /// - Parameter daily: anything but a positive number counts as zero.
  init(daily: Joules) {
    self.daily = daily > 0 && daily.isFinite ? daily : 0
  }

  init(of battery: BatteryPlan) {
    self.init(daily: battery.daily(after: 0))
    self.battery = battery
  }

  // MARK: Events

  /// Reports the energy drawn up to `now`.
  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant) {
    latest = max(latest, now)
    if began == nil { began = latest }
    step(to: Int(elapsed / Self.piece))
    let more = draw.total - (self.draw?.total ?? draw.total)
    // An implausible value is skipped; the next plausible one makes up for it.
    guard more >= 0, more < Self.absurd, draw.total.isFinite, draw.resting.isFinite,
      draw.searching.isFinite
    else { return }
    if !draw.isFree { spending[spending.count - 1] += more }
    self.draw = draw
    isSpent = left < (isSpent ? margin : draw.searching * Self.stopping)
    if isSpent { nextCheck = latest + Self.recheck }
  }

  /// The battery's fuel gauge was read.
  mutating func read(_ reading: BatteryReading, at now: BootInstant) {
    latest = max(latest, now)
    let elapsed = elapsed
    battery?.read(reading, after: elapsed)
    followBattery()
  }

  private mutating func followBattery() {
    if let battery { daily = battery.daily(after: elapsed) }
  }

  /// Advances the history to the piece of that number.
  private mutating func step(to piece: Int) {
    guard piece > present else { return }
    let begun = min(piece - present, Self.pieces)
    spending = (spending + Array(repeating: 0, count: begun)).suffix(Self.pieces)
    present = piece
  }

  // MARK: State

  /// How long the battery has to last; nil: no battery is read.
  public var batteryRemaining: Seconds? { battery?.remaining(after: elapsed) }

  private var elapsed: Seconds { began.map { latest - $0 } ?? 0 }

  /// What may have been spent by now within the history.
  public var limit: Joules { limit(after: elapsed) }

  private func limit(after elapsed: Seconds) -> Joules {
    daily * (min(max(elapsed, Self.day), Self.week) / Self.day)
  }

  /// In the last seven days, or since the start.
  public var spent: Joules { spending.reduce(0, +) }

  /// In the last 24 to 30 hours.
  public var spentLastDay: Joules {
    spending.suffix(Int(Self.day / Self.piece) + 1).reduce(0, +)
  }

  /// What is available for further searches. Negative: enough to finish the present one at most, or
  /// more was spent than allowed, by command or before the budget was lowered.
  public var spendable: Joules { left - margin }

  private var left: Joules { limit - spent - kept }

  /// For the low-power mode until more becomes available: on the first day that is its end.
  private var kept: Joules {
    (draw?.resting ?? 0) * max(Self.day - elapsed, Self.piece)
  }

  private var margin: Joules {
    min((draw?.searching ?? 0) * Self.search, daily * Self.maxMargin)
  }

  /// The average power available for searches within the next 24 hours that leaves the reserve
  /// intact.
  var income: Watts {
    let resting = draw?.resting ?? 0
    let coming = limit(after: elapsed + Self.day) - limit
    // The pieces that drop out of the history by then.
    let forgotten = spending.dropLast(max(0, Self.pieces - Int(Self.day / Self.piece)))
    let free = daily - resting * Self.day
    let rest = coming + forgotten.reduce(0, +) - resting * min(elapsed, Self.day)
    return max(spendable + rest - free * Self.reserve, 0) / Self.day
  }
}

// MARK: Over a restart

extension EnergyBudget {
  private struct Memory: Sendable {
    var elapsed: Seconds = 0
    var spending: [Joules] = []
    var battery: JSONValue?
  }

  private static let fields = SnapshotFields<Memory>([
    .required("elapsed_s", \.elapsed, .of(.number(0...4e9))),
    .required("spent_J", \.spending, .list(1...pieces, of: .of(.number(0...absurd.value)))),
    .omittable("battery", \.battery, .json),
  ])

  var snapshot: JSONValue {
    Self.fields.snapshot(
      of: Memory(
        elapsed: elapsed, spending: spending,
        battery: battery.map { BatteryPlan.fields.snapshot(of: $0) }))
  }

  /// Continues an earlier run's account, which precedes this one's. Damaged data is ignored.
  mutating func restore(_ snapshot: JSONValue?, at now: BootInstant) {
    guard let earlier = Self.fields.restored(snapshot, onto: Memory()) else { return }
    let own = spent
    latest = max(latest, now)
    began = (began ?? latest) - earlier.elapsed
    spending = earlier.spending
    present = Int(earlier.elapsed / Self.piece)
    step(to: Int(elapsed / Self.piece))
    spending[spending.count - 1] += own
    guard let battery, let plan = earlier.battery else { return }
    self.battery = BatteryPlan.fields.restored(plan, onto: battery)
    followBattery()
  }
}
