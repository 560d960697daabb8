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

  /// Whether the alert monitors something at rest, and has to be armed.
  public var needsArming: Bool { self == .moved || self == .anchor }

  public var meaning: String {
    switch self {
    case .enter: "The board arrives at a place."
    case .leave: "The board leaves a place."
    case .dwell: "The board stays at a place for some time."
    case .near: "The board comes within a distance of a place."
    case .outside: "The board is outside a place, such as one that moves with a guide."
    case .notThereBy: "The board is not at a place when it should be."
    case .notBackBy: "The board has left a place and is not back when it should be."
    case .moved: "The parked board moves."
    case .anchor: "The board drifts out of its circle at anchor."
    case .changed: "A place moves, ends, or changes its contents."
    }
  }
}
