import Core

/// The condition of an alert.
public enum AlertKind: String, StoredWord {
  case enter
  case leave
  case dwell
  case near
  case outside
  case notThereBy = "not-there-by"
  case notBackBy = "not-back-by"
  case moved
  case anchor
  case changed

  /// What a kind has to do with, so that a new one states it once for the options, their help and
  /// the engine.
  private struct Traits: OptionSet {
    let rawValue: UInt8

    static let places = Traits(rawValue: 1)
    static let position = Traits(rawValue: 2)
    static let deadline = Traits(rawValue: 4)
    static let arming = Traits(rawValue: 8)
    static let latest = Traits(rawValue: 16)
  }

  private var definition: (traits: Traits, meaning: String) {
    switch self {
    case .enter: ([.places, .position], "The board arrives at a place.")
    case .leave: ([.places, .position], "The board leaves a place.")
    case .dwell: ([.places, .position], "The board stays at a place for some time.")
    case .near: ([.places, .position], "The board comes within a distance of a place.")
    case .outside:
      (
        [.places, .position],
        "The board is outside a place, such as one that moves with a guide."
      )
    case .notThereBy:
      ([.places, .position, .deadline], "The board is not at a place when it should be.")
    case .notBackBy:
      (
        [.places, .position, .deadline],
        "The board has left a place and is not back when it should be."
      )
    case .moved: ([.position, .arming], "The parked board moves.")
    case .anchor: ([.position, .arming], "The board drifts out of its circle at anchor.")
    case .changed: ([.places, .latest], "A place moves, ends, or changes its contents.")
    }
  }

  /// Whether it refers to places.
  public var watchesPlaces: Bool { definition.traits.contains(.places) }

  /// Whether it depends on the board's position.
  public var dependsOnPosition: Bool { definition.traits.contains(.position) }

  /// Whether its schedule has the times by which the board has to be at a place.
  public var hasDeadline: Bool { definition.traits.contains(.deadline) }

  /// Whether the alert monitors something at rest, and has to be armed.
  public var needsArming: Bool { definition.traits.contains(.arming) }

  /// Whether it is raised again without a pause, because only the latest state counts.
  public var resendsAtOnce: Bool { definition.traits.contains(.latest) }

  public var meaning: String { definition.meaning }

  /// The kinds with a property, for a sentence: "moved and anchor".
  public static func words(
    where isMeant: (AlertKind) -> Bool, joinedBy conjunction: String = "and"
  ) -> String {
    Alternatives.text(allCases.filter(isMeant).map(\.rawValue), joinedBy: conjunction)
  }
}
