import Core
import Records

/// An event that can change the board's estimated presence at a place.
public enum PresenceEvent: Hashable, Sendable {
  case located(Location)
  /// The receiver has searched without signal.
  case searchFailed
  /// Evidence other than GNSS shows that the board rests: a motion sensor, the network that it is
  /// still joined to.
  /// - Parameter since: when the rest began.
  case resting(since: BootInstant)
  /// Evidence other than GNSS shows that the board moves.
  /// - Parameter since: when the movement began.
  case moving(since: BootInstant)
}

/// The board has come to a place, has left it, or its initial state is known.
public struct PresenceChange: Hashable, Sendable {
  public var from: PlacePresence.State
  public var to: PlacePresence.State
  /// The decisive location.
  public var location: Location
  /// Its assessment.
  public var containment: Containment
  /// Until this moment the old state is certain; nil: no location has confirmed it.
  public var earliest: BootInstant?
  /// The change was no later than this.
  public var latest: BootInstant
  /// Whether a beacon decided; the location is then the place's position.
  public var isByBeacon = false

  /// "14 m inside its edge, known within 3.0 m"
  public var evidenceInWords: String {
    if isByBeacon {
      return to == .inside ? "its beacon is received" : "its beacon is no longer received"
    }
    let distance = containment.signedDistance
    return "\(distance.magnitude.inWords) \(distance < 0 ? "inside" : "outside") its edge, "
      + "known within \(location.accuracy.inWords)"
  }
}
