import Core

/// Where a place is (Chughtai 2015, section 4.2.2).
public enum PlaceLocation: Hashable, Sendable {
  case fixed(Coordinate)
  /// Where somebody's device is.
  case following(FollowedDevice)
}

/// A device whose position is that of a place, as a guide's is that of the group.
public struct FollowedDevice: Hashable, Sendable {
  /// When the place is moved to where the device is.
  public enum Update: Hashable, Sendable {
    case interval(Seconds)
    /// As soon as the device is that far from where the place is.
    case distance(Metres)
  }

  /// Of the tracked device.
  public var name: String
  public var update: Update
  /// Where the device is taken to be in the drawing of a perimeter that has polygons: they keep
  /// their bearings and distances from there. Nothing for a circle.
  public var anchor: Coordinate?

  /// So long after a device has told where it is its speed counts.
  static let news: Seconds = 600

  public init(name: String, update: Update, anchor: Coordinate? = nil) {
    self.name = name
    self.update = update
    self.anchor = anchor
  }

  /// Who has told nothing for so long may be anywhere.
  public var patience: Seconds {
    if case .interval(let interval) = update { max(Self.news, interval * 3) } else { Self.news }
  }
}
