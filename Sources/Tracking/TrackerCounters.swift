import ReceiverProtocols

/// How often what happened, since the start.
public struct TrackerCounters: Hashable, Sendable {
  public var fixesAccepted = 0
  /// Whatever the receiver said about where it is, and be it that it does not know.
  public var epochs: Int {
    fixesAccepted + fixesRejected.values.reduce(0, +) + epochsWithoutFix + fixesLate
  }
  /// The receiver spoke, and had no place to offer.
  public var epochsWithoutFix = 0
  /// By the gate's reasons.
  public var fixesRejected: [RejectionReason: Int] = [:]
  /// Fixes that arrived after switch-off: the line's last bytes.
  public var fixesLate = 0
  public var sessions = 0
  public var searchesFailed = 0
  public var visits = 0
  public var coarseAccepted = 0
  public var coarseDiscarded = 0

  mutating func count(_ change: VisitChange) {
    switch change {
    case .began: visits += 1
    case .withdrawn: visits -= 1
    case .updated, .ended: break
    }
  }
}
