import Quantities
import Records

/// One demander's wait, within one session, for a fix that is accurate enough for it.
struct AccuracyWait: Hashable, Sendable {
  /// The fixes that were not.
  private struct Insufficient: Hashable, Sendable {
    let since: BootInstant
    var best: Metres
  }

  /// Nil while none has come.
  private var insufficient: Insufficient?

  /// Whether fixes have come, and none that does.
  var isUnderWay: Bool { insufficient != nil }

  /// A fix has come. Answers whether it satisfies the demand.
  mutating func took(_ location: Location, for demand: GnssDemand, at now: BootInstant) -> Bool {
    let isEnough = demand.isSatisfied(by: location)
    // What is not wanted yet is not waited for.
    guard !isEnough, demand.wish == .on else {
      insufficient = nil
      return isEnough
    }
    let best = min(insufficient?.best ?? location.accuracy, location.accuracy)
    insufficient = Insufficient(since: insufficient?.since ?? now, best: best)
    return false
  }

  /// The session has ended: what comes in the next one is another matter.
  mutating func sessionEnded() { insufficient = nil }

  /// When the demander has to go without a fix; nil: none has come that did not do.
  func deadline(of demand: GnssDemand) -> BootInstant? {
    demand.wish == .on ? insufficient.map { $0.since + demand.timeout } : nil
  }

  /// What was missing, once the deadline has passed; nil before.
  func shortfall(of demand: GnssDemand, at now: BootInstant) -> String? {
    guard let insufficient, let deadline = deadline(of: demand), now >= deadline,
      let accuracy = demand.accuracy
    else { return nil }
    return "no fix within \(Int(accuracy.value.rounded())) m in "
      + "\(Int((now - insufficient.since).value)) s; the best was within "
      + "\(Int(insufficient.best.value.rounded(.up))) m"
  }
}
