import Records
import Core

/// The summary of `replay` and `simulate`: the keys of the machine interface, and more.
public struct RunSummary {
  let runtime: TrackerRuntime
  public let duration: Seconds
  public let end: BootInstant
  /// The energy drawn by sources of evidence and of coarse locations; zero for a recording.
  public var sourcesEnergy: Joules = 0

  public init(_ runtime: TrackerRuntime, duration: Seconds, end: BootInstant) {
    self.runtime = runtime
    self.duration = duration
    self.end = end
  }

  public var policy: String { runtime.tracker.policyName }

  var gnssOnShare: Double {
    duration > 0 ? runtime.energy.totals(at: end).on.duration / duration : 0
  }

  /// The energy of the receiver and the sources.
  public var energy: Joules { runtime.energy.totals(at: end).all.energy + sourcesEnergy }

  public var json: JSONValue {
    let tracker = runtime.tracker
    let energy = EnergyReport(runtime.energy, at: end)
    let totals = energy.all.tally
    let counters = tracker.counters
    return .object([
      ("policy", .string(tracker.policyName)),
      ("duration_s", .rounded(duration.value, digits: 3)),
      ("gnss_on_s", .rounded(energy.on.tally.duration.value, digits: 3)),
      ("gnss_on_share", .rounded(gnssOnShare, digits: 6)),
      ("gnss_energy_J", .rounded(totals.energy.value, digits: 3)),
      ("gnss_energy_uncertainty_J", .rounded(totals.knownUncertainty?.value, digits: 3)),
      ("gnss_energy_basis", .string(energy.all.basis)),
      ("sources_energy_J", .rounded(sourcesEnergy.value, digits: 3)),
      ("gnss_charge_mAh", .rounded(totals.charge.milliampereHours, digits: 4)),
      ("states", energy.states),
      ("budget", BudgetReport(runtime, at: end)?.json ?? .null),
      ("fixes_accepted", .count(counters.fixesAccepted)),
      ("fixes_rejected", StatusReport.rejections(counters)),
      ("epochs_without_fix", .count(counters.epochsWithoutFix)),
      ("fixes_late", .count(counters.fixesLate)),
      ("sessions", .count(counters.sessions)),
      ("searches_failed", .count(counters.searchesFailed)),
      ("visits", .count(counters.visits)),
      ("coarse_accepted", .count(counters.coarseAccepted)),
      ("coarse_discarded", .count(counters.coarseDiscarded)),
      ("receiver", StatusReport.counters(runtime.receiver.counters)),
    ])
  }
}

extension RunSummary {
  /// The same as text for people.
  public var text: String {
    let tracker = runtime.tracker
    let counters = tracker.counters
    let rejected = counters.fixesRejected.values.reduce(0, +)
    let share = FixedDecimal.text(gnssOnShare * 100, digits: 2)
    return """
      policy \(tracker.policyName), \(Self.clock(duration)): \
      \(Counted.text(counters.visits, "visit")), \
      \(Counted.text(counters.fixesAccepted, "fix", "fixes")) accepted, \(rejected) rejected, \
      \(Counted.text(counters.sessions, "GNSS session")), \
      \(counters.searchesFailed) ended without a fix
      GNSS was on \(share) % of the time

      \(EnergyReport(runtime.energy, at: end).table)
      """ + sourcesText + budgetText
  }

  private var budgetText: String {
    guard let budget = BudgetReport(runtime, at: end) else { return "" }
    return "\n\n" + budget.text
  }

  private var sourcesText: String {
    guard sourcesEnergy > 0 else { return "" }
    return "\n\nother sources: \(FixedDecimal.text(sourcesEnergy.value, digits: 2)) J"
  }

  /// h:mm:ss
  static func clock(_ time: Seconds) -> String {
    let seconds = Int(time.value.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }
}
