import Core
import Records

/// What can happen to alerts.
public enum AlertEvent: Sendable {
  case places(PlaceEvent)
  /// The alerts that are in force, instead of those before.
  case alerts([Alert])
  /// Somebody has changed a place.
  case placeEdited(PlaceEdit)
  /// Whether something would tell at once if the board were moved.
  case sensing(Bool)
  case ignition(isOn: Bool)
  /// Something has moved the board, or the wind has.
  case shaken
  /// What was asked for with `wake` is due.
  case timePassed
}

/// What is to be done about them.
public enum AlertEffect: Hashable, Sendable {
  /// Answer with `PlaceEvent.found`.
  case find(near: GeographicBox, atMost: Int, request: Int)
  /// The board came to a place, or left it.
  case crossed(PlaceChange)
  case raised(AlertFinding)
  /// What was to be raised once was raised.
  case over(alert: Int64)
  /// When a location is wanted next, and why; replaces what the same one wanted before. Nil: none
  /// is.
  case look(AlertFixReason, AlertFixRequest?)
  /// Be told of the time then, instead of what was asked for before; nil: not any more.
  case wake(at: BootInstant?)
}

/// Who wants the board to be located.
public enum AlertFixReason: String, Hashable, CaseIterable, Sendable {
  case places
  case deadlines
  case guards
}

/// A location that is wanted.
public struct AlertFixRequest: Hashable, Sendable {
  /// At the latest.
  public var at: BootInstant
  public var accuracy: Metres
  /// For `status`.
  public var reason: String
}

extension AlertFixRequest {
  /// Because of the places around.
  init(_ look: PlaceReach.Look) {
    self.init(
      at: look.at, accuracy: look.accuracy, reason: "a place could be entered or left by then")
  }
}

/// An alert is raised: why, and on what evidence.
public struct AlertFinding: Hashable, Sendable {
  public var alert: Alert
  /// A sentence for people.
  public var text: String
  public var place: Place?
  /// The change of presence that has raised it; nil: time, or what was guarded, has.
  public var change: PlaceChange?
  /// Where the board was last.
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

  /// Of an alert about presence.
  init(_ alert: Alert, _ change: PlaceChange) {
    self.init(
      alert, AlertText.of(alert.rule, change), place: change.place, change: change,
      location: change.change.location)
  }
}
