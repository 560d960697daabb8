import Core
import Records

/// What can change the belief of whether the board is at a place.
public enum PresenceEvent: Hashable, Sendable {
  case located(Location)
  /// The receiver has searched and found no sky.
  case searchFailed
  /// The board rests, as something else than GNSS tells: a motion sensor, the network that it is
  /// still joined to.
  /// - Parameter since: when the rest began.
  case resting(since: BootInstant)
  /// The board moves, as something else than GNSS tells.
  /// - Parameter since: when the movement began.
  case moving(since: BootInstant)
}

/// The board has come to a place, has left it, or is found to be in or out at first.
public struct PresenceChange: Hashable, Sendable {
  public var from: PlacePresence.State
  public var to: PlacePresence.State
  /// The location that has decided.
  public var location: Location
  /// How it was judged.
  public var containment: Containment
  /// Before this moment the old state is sure: nil where no location has told it.
  public var earliest: BootInstant?
  /// By this moment it had changed.
  public var latest: BootInstant
  /// Whether a beacon of the place has told it; the location is then where the place is.
  public var isByBeacon = false

  /// "14 m inside its edge, known within 3.0 m"
  public var evidenceInWords: String {
    if isByBeacon { return to == .inside ? "its beacon is heard" : "its beacon has fallen silent" }
    let distance = containment.signedDistance
    return "\(distance.magnitude.inWords) \(distance < 0 ? "inside" : "outside") its edge, "
      + "known within \(location.accuracy.inWords)"
  }
}
