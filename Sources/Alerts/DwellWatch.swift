import Places
import Quantities

/// Stays at places that are to last some time before anybody is told.
struct DwellWatch: Sendable {
  struct Stay: Hashable, Sendable {
    let alert: Int64
    let place: PlaceID
    /// By the date: a stay goes on over a restart.
    var since: UTCInstant
    var isTold = false
  }

  private(set) var stays: [Stay] = []

  /// The board has come to a place, or left it.
  mutating func changed(_ change: PlaceChange, _ alert: Alert, at date: UTCInstant) {
    stays.removeAll { $0.alert == alert.id && $0.place == change.place.id }
    guard change.change.to == .inside else { return }
    stays.append(Stay(alert: alert.id, place: change.place.id, since: date))
  }

  /// Alerts have come: the board may be at their places already.
  mutating func begin(_ alerts: [Alert], at date: UTCInstant, inside places: [Place]) {
    for alert in alerts {
      guard case .dwell(let selection, _) = alert.rule else { continue }
      for place in places where selection.contains(place) {
        guard !stays.contains(where: { $0.alert == alert.id && $0.place == place.id }) else {
          continue
        }
        stays.append(Stay(alert: alert.id, place: place.id, since: date))
      }
    }
  }

  /// The next that will have lasted long enough.
  func due(_ alerts: [Int64: Alert]) -> UTCInstant? {
    stays.compactMap { stay in
      guard !stay.isTold, let length = alerts[stay.alert]?.stay else { return nil }
      return stay.since + length
    }.min()
  }

  /// Something tells that the board has not left: the stays that have lasted long enough.
  mutating func remained(
    at date: UTCInstant, _ alerts: [Int64: Alert], isInside: (PlaceID) -> Bool
  ) -> [Stay] {
    var lasted: [Stay] = []
    for index in stays.indices where !stays[index].isTold {
      guard let length = alerts[stays[index].alert]?.stay,
        date - stays[index].since >= length, isInside(stays[index].place)
      else { continue }
      stays[index].isTold = true
      lasted.append(stays[index])
    }
    return lasted
  }

  mutating func keep(_ alerts: [Int64: Alert]) { stays.removeAll { alerts[$0.alert] == nil } }

  mutating func restore(_ stays: [Stay]) { self.stays = stays }
}

extension Alert {
  /// How long the board has to stay; nil: that does not matter.
  var stay: Seconds? { if case .dwell(_, let stay) = rule { stay } else { nil } }
}
