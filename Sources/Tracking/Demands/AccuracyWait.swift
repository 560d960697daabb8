import Core
import Records

/// One demander's wait for a fix that is accurate enough for it.
struct AccuracyWait: Hashable, Sendable {
  /// Since when fixes come in this session that are not; nil while none has come.
  private var since: BootInstant?
  /// How long they came in earlier sessions.
  private var before: Seconds = 0
  /// The most accurate of them all.
  private var best: Metres?

  /// Whether fixes have come, and none that does.
  var isUnderWay: Bool { since != nil }

  /// A fix has come. Answers whether it satisfies the demand.
  mutating func took(_ location: Location, for demand: GnssDemand, at now: BootInstant) -> Bool {
    let isEnough = demand.isSatisfied(by: location)
    // What is not wanted yet is not waited for.
    guard !isEnough, demand.wish == .on else {
      self = AccuracyWait()
      return isEnough
    }
    since = since ?? now
    best = min(best ?? location.accuracy, location.accuracy)
    return false
  }

  /// The session has ended: the wait goes on with the fixes of the next one.
  mutating func sessionEnded(at now: BootInstant) {
    if let since { before = before + max(now - since, 0) }
    since = nil
  }

  /// When the demander has to go without a fix; nil: none has come that did not do.
  func deadline(of demand: GnssDemand) -> BootInstant? {
    demand.wish == .on ? since.map { $0 + max(demand.timeout - before, 0) } : nil
  }

  /// What was missing, once the deadline has passed; nil before.
  func shortfall(of demand: GnssDemand, at now: BootInstant) -> String? {
    guard let since, let best, let deadline = deadline(of: demand), now >= deadline,
      let accuracy = demand.accuracy
    else { return nil }
    return "no fix within \(Int(accuracy.value.rounded())) m in "
      + "\(Int((now - since + before).value)) s; the best was within "
      + "\(Int(best.value.rounded(.up))) m"
  }
}
