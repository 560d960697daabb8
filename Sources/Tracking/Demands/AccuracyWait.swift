import Core
import Records

/// One demander's wait for a fix of sufficient accuracy.
struct AccuracyWait: Hashable, Sendable {
  /// Since when this session has had only insufficient fixes; nil while there is none.
  private var since: BootInstant?
  /// The duration of such fixes in earlier sessions.
  private var before: Seconds = 0
  /// The best accuracy of them all.
  private var best: Metres?

  /// Whether there were fixes, all of them insufficient.
  var isUnderWay: Bool { since != nil }

  /// Handles a fix. Returns whether it satisfies the demand.
  mutating func handle(_ location: Location, for demand: GnssDemand, at now: BootInstant) -> Bool {
    let isEnough = demand.isSatisfied(by: location)
    // A demand that is not due yet has no timeout.
    guard !isEnough, demand.mode == .on else {
      self = AccuracyWait()
      return isEnough
    }
    since = since ?? now
    best = min(best ?? location.accuracy, location.accuracy)
    return false
  }

  /// At the end of a session the wait is suspended until the fixes of the next one.
  mutating func sessionEnded(at now: BootInstant) {
    if let since { before = before + max(now - since, 0) }
    since = nil
  }

  /// When the demand is abandoned; nil: there was no insufficient fix.
  func deadline(of demand: GnssDemand) -> BootInstant? {
    demand.mode == .on ? since.map { $0 + max(demand.timeout - before, 0) } : nil
  }

  /// Why the demand failed, once the deadline has passed; nil before.
  func shortfall(of demand: GnssDemand, at now: BootInstant) -> String? {
    guard let since, let best, let deadline = deadline(of: demand), now >= deadline,
      let accuracy = demand.accuracy
    else { return nil }
    return "no fix within \(Int(accuracy.value.rounded())) m in "
      + "\(Int((now - since + before).value)) s; the best was within "
      + "\(Int(best.value.rounded(.up))) m"
  }
}
