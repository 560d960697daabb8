import Core
import Analysis

/// The totals of a run from its summary; for several runs, the sums.
struct RunTotals {
  private(set) var runs = 1
  private(set) var duration: Seconds = 0
  /// Receiver and sources.
  private(set) var energy: Joules = 0
  /// Receiver only.
  private(set) var charge: Coulombs = 0
  private(set) var onTime: Seconds = 0
  private(set) var fixes = 0
  private(set) var sessions = 0
  private(set) var searchesFailed = 0
  /// The least energy of any schedule, and of one without knowledge of the future; nil if not
  /// requested.
  private(set) var clairvoyant: Joules?
  private(set) var perfectMotion: Joules?

  /// Nil: it is not a summary.
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

/// A completed run of a comparison.
struct RunResult {
  let figures: RunTotals
  let score: ScoreFigures
  /// Its messages, such as rows that could not be read; empty for none.
  let warning: String
  /// The cumulative charge: hours and milliampere-hours; empty if not requested.
  let curve: [(x: Double, y: Double)]
}
