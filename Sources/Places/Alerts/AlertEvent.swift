import Core
import Records

/// What can happen to alerts.
public enum AlertEvent: Sendable {
  case places(PlaceEvent)
  /// The alerts in force, replacing the earlier ones.
  case alerts([Alert])
  /// A person has changed a place.
  case placeEdited(PlaceEdit)
  /// Whether a sensor would report movement at once.
  case sensing(Bool)
  case ignition(isOn: Bool)
  /// The board was moved, possibly by the wind.
  case shaken
  /// The requested wake is due.
  case timePassed
}

/// An action for places or alerts.
public enum AlertEffect: Hashable, Sendable {
  /// Answer with `PlaceEvent.found`.
  case find(near: GeographicBox, atMost: Int, request: Int)
  /// The board came to a place, or left it.
  case crossed(PlaceChange)
  case raised(AlertFinding)
  /// A one-time alert was raised.
  case over(alert: Int64)
  /// When a location is needed next, and why; replaces the earlier request for that reason. Nil:
  /// none is needed.
  case requestFix(AlertFixReason, AlertFixRequest?)
  /// Send `timePassed` at that moment, instead of the earlier one; nil: no more.
  case wake(at: BootInstant?)
}

/// Why the board is to be located.
public enum AlertFixReason: String, Hashable, CaseIterable, Sendable {
  case places
  case deadlines
  case guards
}

/// A request for a location.
public struct AlertFixRequest: Hashable, Sendable {
  /// At the latest.
  public var at: BootInstant
  public var accuracy: Metres
  /// For `status`.
  public var reason: String
}

extension AlertFixRequest {
  /// Because of places around.
  init(_ look: PlaceReach.FixRequest) {
    self.init(
      at: look.at, accuracy: look.accuracy, reason: "a place could be entered or left by then")
  }
}

/// An alert that is raised, with its reason and evidence.
public struct AlertFinding: Hashable, Sendable {
  public var alert: Alert
  /// A sentence for people.
  public var text: String
  public var place: Place?
  /// The change of presence that raised it; nil: raised by time or by a guard.
  public var change: PlaceChange?
  /// The last location.
  public var location: Location?

  public init(
    _ alert: Alert, _ text: String, place: Place? = nil, change: PlaceChange? = nil,
    location: Location? = nil
  ) {
    self.alert = alert
    self.text = text
    self.place = place
    self.change = change
    self.location = location
  }

  /// For an alert about presence.
  init(_ alert: Alert, _ change: PlaceChange) {
    self.init(
      alert, alert.rule.text(of: change), place: change.place, change: change,
      location: change.change.location)
  }
}
