import Core
import Records

/// Changes that were found by locations that are not accurate enough for an alert: they wait for
/// one that is and says the same.
struct AccuracyConfirmation: Sendable {
  private struct Held: Sendable {
    let alert: Int64
    let change: PlaceChange
  }

  /// More are not remembered: the oldest goes unsaid.
  private static let most = 500

  private var held: [Held] = []

  /// - Returns: whether it has to wait.
  mutating func holds(_ change: PlaceChange, for alert: Alert) -> Bool {
    held.removeAll { $0.alert == alert.id && $0.change.zone == change.zone }
    guard let accuracy = alert.accuracy, change.change.location.accuracy > accuracy else {
      return false
    }
    if held.count >= Self.most { held.removeFirst() }
    held.append(Held(alert: alert.id, change: change))
    return true
  }

  /// Something has changed back: what waits for it is not said any more.
  mutating func changed(_ change: PlaceChange) {
    held.removeAll { $0.change.zone == change.zone && $0.change.change.to != change.change.to }
  }

  /// Somebody has made another alert of it: what waits for the earlier one is not said any more.
  mutating func forget(_ alert: Int64) { held.removeAll { $0.alert == alert } }

  /// - Parameter verdict: what the location says of a place; nil: nothing.
  /// - Returns: what is confirmed by a location, in the order in which it came.
  mutating func confirmed(
    by location: Location, _ alerts: [Int64: Alert],
    verdict: (PlaceZone) -> Containment.Verdict?
  ) -> [(alert: Alert, change: PlaceChange)] {
    held.removeAll { alerts[$0.alert] == nil }
    guard !held.isEmpty else { return [] }
    var told: [(alert: Alert, change: PlaceChange)] = []
    held.removeAll { one in
      guard let alert = alerts[one.alert],
        location.accuracy <= alert.accuracy ?? Metres(.infinity),
        verdict(one.change.zone) == (one.change.change.to == .inside ? .inside : .outside)
      else { return false }
      var change = one.change
      change.change.location = location
      told.append((alert, change))
      return true
    }
    return told
  }
}
