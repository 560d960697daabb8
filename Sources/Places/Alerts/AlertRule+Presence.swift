import Core
import Records

/// The rules for which a change of presence is enough: when it raises their alerts, and what the
/// notices say.
extension AlertRule {
  /// Whether a change raises the alert. An unknown earlier state means neither an arrival nor a
  /// departure.
  func isMet(by change: PlaceChange) -> Bool {
    let (from, to) = (change.change.from, change.change.to)
    switch self {
    case .enter: return change.margin == 0 && from == .outside && to == .inside
    case .leave: return change.margin == 0 && from == .inside && to == .outside
    case .outside: return change.margin == 0 && to == .outside
    case .near(_, let distance):
      return change.margin == distance && from == .outside && to == .inside
    default: return false
    }
  }

  /// The text of a notice about a change that raises the alert.
  func text(of change: PlaceChange) -> String {
    let name = change.place.name
    let evidence = change.change.evidenceInWords
    return switch self {
    case .leave: "left \(name): \(evidence)"
    case .outside: "outside \(name): \(evidence)"
    case .near(_, let distance):
      "within \(distance.inWords) of \(name): \(Self.edge(change.change, beyond: distance))"
    default: "arrived at \(name): \(evidence)"
    }
  }

  private static func edge(_ change: PresenceChange, beyond margin: Metres) -> String {
    let distance = change.containment.signedDistance + margin
    return "\(max(distance, 0).inWords) to its edge, known within "
      + "\(change.location.accuracy.inWords)"
  }
}
