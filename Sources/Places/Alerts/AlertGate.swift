import Core

/// Keeps an alert from being raised when it is off, over, or was raised a moment ago.
struct AlertGate: Sendable {
  struct Key: Hashable, Comparable, Sendable {
    let alert: Int64
    let place: PlaceID?

    static func < (a: Self, b: Self) -> Bool {
      a.alert != b.alert
        ? a.alert < b.alert
        : (a.place?.description ?? "", 0) < (b.place?.description ?? "", 0)
    }
  }

  /// Places are many, and a pause is forgotten after this many of others.
  static let most = 200

  /// When an alert was raised last.
  private(set) var raised: [Key: UTCInstant] = [:]
  /// Those that were to be raised once. The store hears of it, and may take a while.
  private(set) var over: Set<Int64> = []

  /// Whether a finding gets through.
  mutating func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
    let alert = finding.alert
    guard !over.contains(alert.id), alert.isOn(at: date) else { return false }
    let key = Key(alert: alert.id, place: finding.place?.id)
    if let date {
      // A date that was set back must not silence it.
      if let last = raised[key], date >= last, date - last < alert.resendPause { return false }
      raised[key] = date
      forgetOldest()
    }
    if alert.isOnce { over.insert(alert.id) }
    return true
  }

  /// Alerts that are not in force any more have nothing to remember.
  mutating func keep(_ alerts: [Alert]) {
    let ids = Set(alerts.map(\.id))
    raised = raised.filter { ids.contains($0.key.alert) }
    over = over.intersection(ids)
  }

  /// Where a circle is drawn anew nothing has been raised yet.
  mutating func armed(_ alert: Int64) { raised = raised.filter { $0.key.alert != alert } }

  /// The store says from now on which are over, and somebody may arm one again.
  mutating func endsAreStored() { over = [] }

  mutating func restore(_ raised: [Key: UTCInstant], over: Set<Int64>) {
    self.raised = raised
    self.over = over
  }

  private mutating func forgetOldest() {
    while raised.count > Self.most,
      let oldest = raised.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      raised[oldest.key] = nil
    }
  }
}
