import Core

/// The position of a place (Chughtai 2015, section 4.2.2).
public enum PlaceLocation: Hashable, Sendable {
  case fixed(Coordinate)
  /// The position of a device.
  case following(FollowedDevice)
}

/// A device whose position is that of a place, such as a guide's for the group.
public struct FollowedDevice: Hashable, Sendable {
  /// When the place moves to the device.
  public enum Update: Hashable, Sendable {
    case interval(Seconds)
    /// As soon as the device is that far from the place.
    case distance(Metres)
  }

  /// The name of the tracked device.
  public var name: String
  public var update: Update
  /// The device's position in the drawing of a perimeter with polygons: they keep their bearings
  /// and distances from there. Not used for a circle.
  public var anchor: Coordinate?

  /// How long the speed of a device is valid after its report.
  static let speedValidity: Seconds = 600

  public init(name: String, update: Update, anchor: Coordinate? = nil) {
    self.name = name
    self.update = update
    self.anchor = anchor
  }

  /// After this time without a report the device may be anywhere.
  public var maxReportAge: Seconds {
    if case .interval(let interval) = update {
      max(Self.speedValidity, interval * 3)
    } else {
      Self.speedValidity
    }
  }
}
