import Core
import Records

/// A condition that people want to be notified of. It has been checked.
public struct Alert: Hashable, Sendable {
  /// The id of its row.
  public let id: Int64
  public let name: String
  public let rule: AlertRule
  /// When it is active; for a rule with a deadline, by when the board has to be there. Nil: always.
  public let schedule: Schedule?
  /// A location with a larger error raises nothing; nil: the place's size decides.
  let accuracy: Metres?
  /// Whether it ends when it is raised.
  let isOnce: Bool
  /// The minimum time before it is raised again for the same place.
  let resendPause: Seconds

  public init(
    id: Int64, name: String, _ rule: AlertRule, schedule: Schedule? = nil, accuracy: Metres? = nil,
    isOnce: Bool = false, resendPause: Seconds = AlertLimits.resendPause
  ) {
    self.id = id
    self.name = name
    self.rule = rule
    self.schedule = schedule
    self.accuracy = accuracy
    self.isOnce = isOnce
    self.resendPause = resendPause
  }

  /// Whether it may be raised at a date; always if the date is unknown.
  func isOn(at date: UTCInstant?) -> Bool {
    guard let schedule, let date, !rule.hasDeadline else { return true }
    return schedule.isOn(at: date)
  }
}

/// The condition that raises an alert.
public enum AlertRule: Hashable, Sendable {
  case enter(PlaceSelection)
  case leave(PlaceSelection)
  case outside(PlaceSelection)
  case dwell(PlaceSelection, Seconds)
  case near(PlaceSelection, Metres)
  case notThereBy(PlaceSelection)
  case notBackBy(PlaceSelection)
  case moved(Guard)
  case anchor(Guard)
  case changed(PlaceSelection)

  public var kind: AlertKind {
    switch self {
    case .enter: .enter
    case .leave: .leave
    case .outside: .outside
    case .dwell: .dwell
    case .near: .near
    case .notThereBy: .notThereBy
    case .notBackBy: .notBackBy
    case .moved: .moved
    case .anchor: .anchor
    case .changed: .changed
    }
  }

  /// The places that it refers to; nil: none, it refers to the board's own position.
  public var places: PlaceSelection? {
    switch self {
    case .enter(let places), .leave(let places), .outside(let places), .dwell(let places, _),
      .near(let places, _), .notThereBy(let places), .notBackBy(let places),
      .changed(let places):
      places
    case .moved, .anchor: nil
    }
  }

  /// The guard of a board at rest; nil: there is none.
  public var guarding: Guard? {
    switch self {
    case .moved(let guarding), .anchor(let guarding): guarding
    default: nil
    }
  }

  /// Whether it depends on the board's position.
  public var isAboutPresence: Bool { kind.dependsOnPosition }

  public var hasDeadline: Bool { kind.hasDeadline }

  /// The distance beyond its edge at which a place begins for it.
  var margin: Metres { if case .near(_, let distance) = self { distance } else { 0 } }
}

/// A circle that is not to be left.
public struct Guard: Hashable, Sendable {
  public var radius: Metres
  /// How long the board may be outside.
  var grace: Seconds = 0
  /// Nil: the board's position when it is armed.
  var centre: Coordinate?
  var arming: AlertArming = .hand
  /// Whether a person has armed it.
  var isArmed: Bool = false
}

/// Limits and defaults of an alert.
public enum AlertLimits {
  static let stay: ClosedRange<Seconds> = 1...2_592_000
  static let distance: ClosedRange<Metres> = 1...1_000_000
  static let radius: ClosedRange<Metres> = 10...100_000
  static let grace: ClosedRange<Seconds> = 0...3600
  static let accuracy: ClosedRange<Metres> = 1...10_000
  static let resendPauses: ClosedRange<Seconds> = 0...2_678_400
  /// The length of a name in bytes of UTF-8.
  static let name = 200

  static let dwellStay: Seconds = 600
  static let nearDistance: Metres = 200
  static let parkedRadius: Metres = 50
  static let anchorRadius: Metres = 40
  /// Long enough for a gust.
  static let anchorGrace: Seconds = 60
  public static let resendPause: Seconds = 300

  /// The default pause for a word of `AlertKind`.
  public static func usualPause(of kind: String?) -> Seconds {
    kind.flatMap(AlertKind.init)?.resendsAtOnce ?? false ? 0 : resendPause
  }
}
