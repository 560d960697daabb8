import Core

/// A digital beacon: where, when and to whom something is visible (Chughtai 2015, chapter 4).
///
/// A place has been checked; what can be changed about it is in its details, and read as if it were
/// its own.
@dynamicMemberLookup
public struct Place: Hashable, Sendable {
  public let id: PlaceID
  /// Raised by every change, from 1.
  public let version: Int
  public let details: PlaceDetails

  /// Checks every part.
  /// - Throws: the first thing that is wrong, with what to do about it.
  public init(id: PlaceID, version: Int = 1, _ details: PlaceDetails) throws(PlaceError) {
    guard version >= 1 else {
      throw PlaceError(.outOfRange, at: "version", "\(version): versions count from 1")
    }
    try PlaceCheck.check(details, of: id)
    self.id = id
    self.version = version
    self.details = details.named(of: id)
  }

  private init(undrawn place: Place) {
    id = place.id
    version = place.version
    var details = place.details
    details.perimeter = .polygons([])
    self.details = details
  }

  /// The place without the corners of its perimeter, for whoever needs it without its edge, or
  /// keeps its region: they take as much memory. It has no region any more.
  public func undrawn() -> Place {
    guard case .polygons = details.perimeter else { return self }
    return Place(undrawn: self)
  }

  public subscript<Value>(dynamicMember part: KeyPath<PlaceDetails, Value>) -> Value {
    details[keyPath: part]
  }

  /// The place with other details and the next version; itself when nothing has changed.
  public func changed(to details: PlaceDetails) throws(PlaceError) -> Place {
    guard details.named(of: id) != self.details else { return self }
    // The counter cannot get to its end by changes; a file may begin there.
    guard version < .max else {
      throw PlaceError(
        .outOfRange, at: "version", "it has no next one: make a new place in its stead")
    }
    return try Place(id: id, version: version + 1, details)
  }

  /// The perimeter ready for questions.
  /// - Parameters:
  ///   - devicePosition: where the device is that the place follows; a fixed place needs none.
  ///   - margin: how far beyond the perimeter the region shall reach.
  /// - Returns: nil for a place that follows a device whose position is not known, and for one
  ///   that is `undrawn`.
  public func region(devicePosition: Coordinate? = nil, margin: Metres = 0) -> PlaceRegion? {
    guard details.perimeter != .polygons([]) else { return nil }
    switch details.location {
    case .fixed(let centre):
      return PlaceRegion(details.perimeter, around: centre, margin: margin)
    case .following(let device):
      return devicePosition.map { position in
        PlaceRegion(
          device.anchor.map { details.perimeter.moved(from: $0, to: position) }
            ?? details.perimeter,
          around: position, margin: margin)
      }
    }
  }
}

extension PlaceDetails {
  /// With ids for all contents.
  fileprivate func named(of place: PlaceID) -> PlaceDetails {
    var details = self
    details.contents = ContentNames.named(contents, of: place)
    return details
  }
}
