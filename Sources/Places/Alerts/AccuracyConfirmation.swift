import Core
import Records

/// Changes found by locations that are not accurate enough for an alert: they wait for a
/// sufficiently accurate location that confirms them.
struct AccuracyConfirmation: Sendable {
  private struct Held: Sendable {
    let alert: Int64
    let change: PlaceChange
  }

  /// Beyond this number the oldest change is dropped.
  private static let most = 500

  private var held: [Held] = []

  /// - Returns: whether the change has to wait.
  mutating func defers(_ change: PlaceChange, for alert: Alert) -> Bool {
    held.removeAll { $0.alert == alert.id && $0.change.zone == change.zone }
    guard let accuracy = alert.accuracy, change.change.location.accuracy > accuracy else {
      return false
    }
    if held.count >= Self.most { held.removeFirst() }
    held.append(Held(alert: alert.id, change: change))
    return true
  }

  /// After the opposite change, the waiting one is dropped.
  mutating func changed(_ change: PlaceChange) {
    held.removeAll { $0.change.zone == change.zone && $0.change.change.to != change.change.to }
  }

  /// The alert was edited: changes that wait for it are dropped.
  mutating func forget(_ alert: Int64) { held.removeAll { $0.alert == alert } }

  /// - Parameter verdict: the location's verdict on a place; nil: none.
  /// - Returns: the changes that the location confirms, in the order of their arrival.
  mutating func confirmed(
    by location: Location, _ alerts: [Int64: Alert],
    verdict: (PlaceZone) -> Containment.Verdict?
  ) -> [(alert: Alert, change: PlaceChange)] {
    held.removeAll { alerts[$0.alert] == nil }
    guard !held.isEmpty else { return [] }
    var confirmed: [(alert: Alert, change: PlaceChange)] = []
    held.removeAll { one in
      guard let alert = alerts[one.alert],
        location.accuracy <= alert.accuracy ?? Metres(.infinity),
        verdict(one.change.zone) == (one.change.change.to == .inside ? .inside : .outside)
      else { return false }
      var change = one.change
      change.change.location = location
      confirmed.append((alert, change))
      return true
    }
    return confirmed
  }
}
