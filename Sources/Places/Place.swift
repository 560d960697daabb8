import Core

/// A digital beacon: where, when and to whom content is visible (Chughtai 2015, chapter 4).
///
/// A place has been checked; its editable parts are in `details`, and are accessible as its own
/// members.
@dynamicMemberLookup
public struct Place: Hashable, Sendable {
  public let id: PlaceID
  /// Incremented by every change, from 1.
  public let version: Int
  public let details: PlaceDetails

  /// Checks every part.
  /// - Throws: the first fault, and how to correct it.
  public init(id: PlaceID, version: Int = 1, _ details: PlaceDetails) throws(PlaceError) {
    guard version >= 1 else {
      throw PlaceError(.outOfRange, at: "version", "\(version): versions are counted from 1")
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

  /// The place without the corners of its perimeter, for uses that do not need its edge, or keep
  /// its region: each takes as much memory. It has no region any more.
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
    // Changes hardly exhaust the counter, but a file may begin at its end.
    guard version < .max else {
      throw PlaceError(
        .outOfRange, at: "version", "it cannot have a next version: create a new place instead")
    }
    return try Place(id: id, version: version + 1, details)
  }

  /// The perimeter, prepared for queries.
  /// - Parameters:
  ///   - devicePosition: the position of the device that the place follows; unused for a fixed
  ///     place.
  ///   - margin: how far beyond the perimeter the region shall reach.
  /// - Returns: nil for a place that follows a device with unknown position, and for one that is
  ///   `undrawn`.
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
