import Records
import Core

/// What the receiver draws, and has drawn.
public struct EnergyDraw: Hashable, Sendable {
  /// Since any fixed moment: the receiver's in all its states, and the sources'.
  public let total: Joules
  /// While the receiver is not wanted, the sources included.
  public let resting: Watts
  /// While it searches.
  public let searching: Watts
  /// Whether the last of it came from another supply than the battery, and counts for no budget.
  var isFree = false

  public init(total: Joules, resting: Watts, searching: Watts) {
    self.total = total
    self.resting = resting
    self.searching = searching
  }
}

/// An energy budget that is kept: in no seven days more is spent than seven days' budget, and while
/// it has run for less than that, no more than that of the days begun.
///
/// It runs on the boot clock and needs no date. What a day of rest leaves over pays for journeys
/// within the week. Time during which nothing runs earns nothing: nobody knows how long it was.
///
/// A search cannot be had by halves, and a receiver that rests goes on drawing: what both may take
/// is kept back, so that a search under way can end.
public struct EnergyBudget: Hashable, Sendable {
  private static let day = Seconds.days(1)
  private static let week = Seconds.days(7)
  /// Spending is remembered in pieces of this length. One counts until all of it is a week old.
  private static let piece = Seconds.hours(6)
  private static let pieces = Int(week / piece) + 1
  /// In days of budget, what is to be left over for journeys that nobody foresees.
  private static let reserve = 0.1
  /// A search that was begun can go on for so long: between houses a cold start takes 60 s.
  private static let search: Seconds = 60
  /// Of a day: what a small budget keeps back for that at most.
  private static let maxMargin = 0.6
  /// What passes until a receiver that is told to stop has stopped.
  private static let stopping: Seconds = 2
  /// How often an exhausted budget is looked at: only a timer's wake.
  private static let recheck: Seconds = .minutes(30)
  /// What cannot be true is no spending of a receiver's: 1 kW for a year.
  private static let absurd = Joules(3e10)

  /// Of 24 hours.
  public private(set) var daily: Joules
  /// What decides about that; nil: it is fixed.
  public private(set) var battery: BatteryPlan?
  /// When it began to count; before the board booted when an earlier run began it.
  private var began: BootInstant?
  private var latest: BootInstant = .zero
  /// The last is the present piece.
  private var spending: [Joules] = [0]
  private var present = 0
  /// As it was told last.
  private(set) var draw: EnergyDraw?
  /// Whether there is nothing left, until a whole search can be had again.
  public private(set) var isSpent = false
  /// When it should be asked again, while it is spent.
  public private(set) var nextCheck: BootInstant = .zero

  /// - Parameter daily: what is not a positive number counts as nothing.
  public init(daily: Joules) {
    self.daily = daily > 0 && daily.isFinite ? daily : 0
  }

  public init(of battery: BatteryPlan) {
    self.init(daily: battery.daily(after: 0))
    self.battery = battery
  }

  // MARK: What happens

  /// Time has passed, and this has been drawn.
  public mutating func drawn(_ draw: EnergyDraw, at now: BootInstant) {
    latest = max(latest, now)
    if began == nil { began = latest }
    step(to: Int(elapsed / Self.piece))
    let more = draw.total - (self.draw?.total ?? draw.total)
    // Of what makes no sense the next that does is the correction.
    guard more >= 0, more < Self.absurd, draw.total.isFinite, draw.resting.isFinite,
      draw.searching.isFinite
    else { return }
    if !draw.isFree { spending[spending.count - 1] += more }
    self.draw = draw
    isSpent = left < (isSpent ? margin : draw.searching * Self.stopping)
    if isSpent { nextCheck = latest + Self.recheck }
  }

  /// The battery's fuel gauge was read.
  public mutating func read(_ reading: BatteryReading, at now: BootInstant) {
    latest = max(latest, now)
    let elapsed = elapsed
    battery?.read(reading, after: elapsed)
    followBattery()
  }

  private mutating func followBattery() {
    if let battery { daily = battery.daily(after: elapsed) }
  }

  /// The piece of time of that number has begun.
  private mutating func step(to piece: Int) {
    guard piece > present else { return }
    let begun = min(piece - present, Self.pieces)
    spending = (spending + Array(repeating: 0, count: begun)).suffix(Self.pieces)
    present = piece
  }

  // MARK: What is known

  /// For how long the battery has to last; nil: nothing is read.
  public var batteryRemaining: Seconds? { battery?.remaining(after: elapsed) }

  private var elapsed: Seconds { began.map { latest - $0 } ?? 0 }

  /// What may have been spent by now of what is remembered.
  public var limit: Joules { limit(after: elapsed) }

  private func limit(after elapsed: Seconds) -> Joules {
    daily * (min(max(elapsed, Self.day), Self.week) / Self.day)
  }

  /// In the last seven days, or since it began.
  public var spent: Joules { spending.reduce(0, +) }

  /// In the last 24 hours, and up to six more.
  public var spentLastDay: Joules {
    spending.suffix(Int(Self.day / Self.piece) + 1).reduce(0, +)
  }

  /// What is left for further searches. Negative: for no more than to end the present one, or more
  /// was spent than was given, by command or before the budget was lowered.
  public var spendable: Joules { left - margin }

  private var left: Joules { limit - spent - kept }

  /// For the low-power mode, until more comes in: on the first day that is its end.
  private var kept: Joules {
    (draw?.resting ?? 0) * max(Self.day - elapsed, Self.piece)
  }

  private var margin: Joules {
    min((draw?.searching ?? 0) * Self.search, daily * Self.maxMargin)
  }

  /// What may be spent on searches within the next 24 hours, on average, if the reserve is to be
  /// there afterwards.
  public var income: Watts {
    let resting = draw?.resting ?? 0
    let coming = limit(after: elapsed + Self.day) - limit
    // As many of the pieces as are forgotten by then.
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

  /// Goes on from what an earlier run has spent, which comes before what this one has. What makes
  /// no sense is ignored.
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
