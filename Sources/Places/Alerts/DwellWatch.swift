import Core

/// Stays at places that have to last some time before they raise an alert.
struct DwellWatch: Sendable {
  struct Stay: Hashable, Sendable {
    let alert: Int64
    let place: PlaceID
    /// As a date, so that a stay continues over a restart.
    var since: UTCInstant
    var isReported = false
    /// Since when this run knows that it has lasted long enough.
    var dueSince: UTCInstant?
  }

  /// The evidence for presence at a place where the board was found.
  enum Evidence: Hashable, Sendable {
    case there
    /// There is no evidence for or against a departure.
    case unsure
    case elsewhere
  }

  /// How long to wait for evidence that the board has not left.
  static let timeout: Seconds = 300

  private(set) var stays: [Stay] = []

  /// The board has come to a place, or left it.
  mutating func changed(_ change: PlaceChange, _ alert: Alert, at date: UTCInstant) {
    stays.removeAll { $0.alert == alert.id && $0.place == change.place.id }
    guard change.change.to == .inside else { return }
    stays.append(Stay(alert: alert.id, place: change.place.id, since: date))
  }

  /// Alerts were added: the board may already be at their places.
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

  /// When unreported stays reach the required length.
  func dues(_ alerts: [Int64: Alert], isInside: (PlaceID) -> Bool) -> [UTCInstant] {
    stays.compactMap { stay in
      guard !stay.isReported, let length = alerts[stay.alert]?.stay, isInside(stay.place) else {
        return nil
      }
      return stay.since + length
    }
  }

  /// The stays that have lasted long enough, where presence is certain or there was no evidence of
  /// a departure for the timeout.
  mutating func lasted(
    at date: UTCInstant, _ alerts: [Int64: Alert], evidence: (PlaceID) -> Evidence
  ) -> [Stay] {
    var lasted: [Stay] = []
    for index in stays.indices where !stays[index].isReported {
      // A date that was set back must not suppress it.
      stays[index].since = min(stays[index].since, date)
      guard let length = alerts[stays[index].alert]?.stay, date - stays[index].since >= length
      else { continue }
      let evidence = evidence(stays[index].place)
      guard evidence != .elsewhere else { continue }
      let due = min(stays[index].dueSince ?? date, date)
      stays[index].dueSince = due
      guard evidence == .there || date - due >= Self.timeout else { continue }
      stays[index].isReported = true
      lasted.append(stays[index])
    }
    return lasted
  }

  /// Alerts or places were edited: only stays at places with an alert continue.
  /// - Parameter places: all places that the board may be at; nil: unknown.
  mutating func keep(_ alerts: [Int64: Alert], places: [Place]?) {
    stays.removeAll { stay in
      guard case .dwell(let selection, _)? = alerts[stay.alert]?.rule else { return true }
      guard let places else { return false }
      return !places.contains { $0.id == stay.place && selection.contains($0) }
    }
  }

  mutating func restore(_ stays: [Stay]) { self.stays = stays }
}

extension Alert {
  /// How long the board has to stay; nil: irrelevant.
  var stay: Seconds? { if case .dwell(_, let stay) = rule { stay } else { nil } }
}
