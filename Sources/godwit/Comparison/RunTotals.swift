import Core
import Analysis

/// What a run took and found, as its summary tells it; of several runs, the sums.
struct RunTotals {
  private(set) var runs = 1
  private(set) var duration: Seconds = 0
  /// Of the receiver and the sources.
  private(set) var energy: Joules = 0
  /// Of the receiver.
  private(set) var charge: Coulombs = 0
  private(set) var onTime: Seconds = 0
  private(set) var fixes = 0
  private(set) var sessions = 0
  private(set) var searchesFailed = 0
  /// Of any schedule, and of one that knows no future; nil if not asked for.
  private(set) var clairvoyant: Joules?
  private(set) var perfectMotion: Joules?

  /// Nil: the text is no summary.
  init?(_ json: JSONValue) {
    guard let duration = json["duration_s"]?.number, let energy = json["energy_J"]?.number,
      let charge = json["gnss_charge_mAh"]?.number, let on = json["gnss_on_s"]?.number,
      let fixes = json["fixes_accepted"]?.integer, let sessions = json["sessions"]?.integer,
      let failed = json["searches_failed"]?.integer
    else { return nil }
    self.duration = Seconds(duration)
    self.energy = Joules(energy)
    self.charge = Coulombs(milliampereHours: charge)
    onTime = Seconds(on)
    self.fixes = fixes
    self.sessions = sessions
    searchesFailed = failed
    clairvoyant = json["bound_clairvoyant_J"]?.number.map(Joules.init)
    perfectMotion = json["bound_perfect_motion_J"]?.number.map(Joules.init)
  }

  mutating func add(_ other: RunTotals) {
    runs += other.runs
    duration += other.duration
    energy += other.energy
    charge += other.charge
    onTime += other.onTime
    fixes += other.fixes
    sessions += other.sessions
    searchesFailed += other.searchesFailed
    clairvoyant = Self.sum(clairvoyant, other.clairvoyant)
    perfectMotion = Self.sum(perfectMotion, other.perfectMotion)
  }

  private static func sum(_ a: Joules?, _ b: Joules?) -> Joules? {
    guard let a, let b else { return nil }
    return a + b
  }

  var days: Double { duration / .days(1) }

  func perDay(_ value: Double) -> Double? { duration > 0 ? value / days : nil }

  func multiple(of bound: Joules?) -> Double? {
    bound.flatMap { $0 > 0 ? energy / $0 : nil }
  }
}

/// One run of a comparison that came to its end.
struct RunResult {
  let figures: RunTotals
  let score: ScoreFigures
  /// What it said besides, such as rows that could not be read; empty for nothing.
  let warning: String
  /// The charge as it adds up: hours and milliampere-hours; empty where nobody asked for it.
  let curve: [(x: Double, y: Double)]
}
