import Energy
import Notation
import Quantities

/// What `replay` and `simulate` print at the end: the machine interface's keys, and more.
public struct RunSummary {
  let conductor: Conductor
  let duration: Seconds
  let end: BootInstant

  public init(_ conductor: Conductor, duration: Seconds, end: BootInstant) {
    self.conductor = conductor
    self.duration = duration
    self.end = end
  }

  public var gnssOnShare: Double {
    duration > 0 ? conductor.energy.totals(at: end).on.duration / duration : 0
  }

  public var json: JSONValue {
    let tracker = conductor.tracker
    let totals = conductor.energy.totals(at: end)
    let counters = tracker.counters
    return .object([
      ("policy", .string(tracker.policyName)),
      ("duration_s", .rounded(duration.value, digits: 3)),
      ("gnss_on_s", .rounded(totals.on.duration.value, digits: 3)),
      ("gnss_on_share", .rounded(gnssOnShare, digits: 6)),
      ("gnss_energy_J", .rounded(totals.all.energy.value, digits: 3)),
      ("gnss_charge_mAh", .rounded(totals.all.charge.milliampereHours, digits: 4)),
      ("fixes_accepted", .number(Double(counters.fixesAccepted))),
      ("fixes_rejected", StatusReport.rejections(counters)),
      ("epochs_without_fix", .number(Double(counters.epochsWithoutFix))),
      ("fixes_late", .number(Double(counters.fixesLate))),
      ("sessions", .number(Double(counters.sessions))),
      ("searches_failed", .number(Double(counters.searchesFailed))),
      ("visits", .number(Double(counters.visits))),
      ("coarse_accepted", .number(Double(counters.coarseAccepted))),
      ("coarse_discarded", .number(Double(counters.coarseDiscarded))),
      ("receiver", StatusReport.counters(conductor.receiver.counters)),
    ])
  }
}

extension RunSummary {
  /// The same for people.
  public var text: String {
    let tracker = conductor.tracker
    let totals = conductor.energy.totals(at: end)
    let counters = tracker.counters
    let rejected = counters.fixesRejected.values.reduce(0, +)
    func row(_ name: String, _ tally: EnergyTally) -> String {
      Self.padded(name, 12) + Self.padded(Self.clock(tally.duration), 14, right: true)
        + Self.padded(FixedDecimal.text(tally.charge.milliampereHours, digits: 3), 12, right: true)
        + Self.padded(FixedDecimal.text(tally.energy.value, digits: 2), 12, right: true)
    }
    let share = FixedDecimal.text(gnssOnShare * 100, digits: 2)
    return """
      policy \(tracker.policyName), \(Self.clock(duration)): \(counters.visits) visits, \
      \(counters.fixesAccepted) fixes accepted, \(rejected) rejected, \
      \(counters.sessions) GNSS sessions, \(counters.searchesFailed) without a fix
      GNSS was on \(share) % of the time

      \(Self.padded("GNSS state", 12))          time         mAh           J
      \(row("off", totals[.off]))
      \(row("coarse", totals[.coarse]))
      \(row("sleeping", totals[.sleeping]))
      \(row("acquiring", totals[.acquiring]))
      \(row("tracking", totals[.tracking]))
      \(row("all", totals.all))
      """
  }

  /// h:mm:ss
  static func clock(_ time: Seconds) -> String {
    let seconds = Int(time.value.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
