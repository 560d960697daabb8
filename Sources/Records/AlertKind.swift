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
    case .enter: "The board comes to a place."
    case .leave: "The board leaves a place."
    case .dwell: "The board stays at a place for some time."
    case .near: "The board comes within a distance of a place."
    case .outside: "The board is found outside of a place, such as one that goes with a guide."
    case .notThereBy: "The board is not at a place when it should be."
    case .notBackBy: "The board has left a place and is not back when it should be."
    case .moved: "The board was parked and is moved."
    case .anchor: "The board drifts out of the circle in which it lies at anchor."
    case .changed: "A place is moved, ends, or says something else."
    }
  }
}
