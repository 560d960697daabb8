import Core

/// Suppresses an alert that is off, over, or was raised a moment ago.
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

  /// Beyond this number of alerts and places the oldest pause is dropped.
  static let most = 200

  /// When an alert was last raised.
  private(set) var raised: [Key: UTCInstant] = [:]
  /// One-time alerts that were raised. It may take a while until the store has them.
  private(set) var over: Set<Int64> = []

  /// Whether a finding raises its alert.
  mutating func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
    let alert = finding.alert
    guard !over.contains(alert.id), alert.isOn(at: date) else { return false }
    let key = Key(alert: alert.id, place: finding.place?.id)
    if let date {
      // A date that was set back must not suppress it.
      if let last = raised[key], date >= last, date - last < alert.resendPause { return false }
      raised[key] = date
      forgetOldest()
    }
    if alert.isOnce { over.insert(alert.id) }
    return true
  }

  /// Drops the state of alerts that are no longer in force.
  mutating func keep(_ alerts: [Alert]) {
    let ids = Set(alerts.map(\.id))
    raised = raised.filter { ids.contains($0.key.alert) }
    over = over.intersection(ids)
  }

  /// A newly armed guard starts without a pause.
  mutating func armed(_ alert: Int64) { raised = raised.filter { $0.key.alert != alert } }

  /// From now on the store defines which alerts are over, so that an alert can be armed again.
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
