import GNSS

/// Counts of events since the start.
public struct TrackerCounters: Hashable, Sendable {
  public private(set) var fixesAccepted = 0
  /// All epochs, with or without a position.
  public var epochs: Int {
    fixesAccepted + fixesRejected.values.reduce(0, +) + epochsWithoutFix + fixesLate
  }
  /// Epochs without a position.
  public private(set) var epochsWithoutFix = 0
  /// By rejection reason.
  public private(set) var fixesRejected: [RejectionReason: Int] = [:]
  /// Fixes that arrived after switch-off: the line's last bytes.
  public private(set) var fixesLate = 0
  public private(set) var sessions = 0
  public private(set) var searchesFailed = 0
  public private(set) var visits = 0
  public private(set) var coarseAccepted = 0
  public private(set) var coarseDiscarded = 0

  mutating func countAcceptedFix() { fixesAccepted += 1 }
  mutating func countLateFix() { fixesLate += 1 }
  mutating func countEpochWithoutFix() { epochsWithoutFix += 1 }
  mutating func countRejectedFix(_ reason: RejectionReason) {
    fixesRejected[reason, default: 0] += 1
  }
  mutating func countSession() { sessions += 1 }
  mutating func countFailedSearch() { searchesFailed += 1 }

  mutating func countCoarse(isAccepted: Bool) {
    if isAccepted { coarseAccepted += 1 } else { coarseDiscarded += 1 }
  }

  mutating func count(_ change: VisitChange) {
    switch change {
    case .began: visits += 1
    case .withdrawn: visits -= 1
    case .updated, .ended: break
    }
  }
}
