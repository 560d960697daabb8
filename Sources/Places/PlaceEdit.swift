import Core

/// A change of a place by a person, or the end of its lifetime.
public struct PlaceEdit: Hashable, Sendable {
  public let before: Place
  /// Nil: it is gone.
  public let after: Place?
  private let isOver: Bool

  /// Nil if nothing has changed.
  /// - Parameter isDrawn: whether `before` lacks its perimeter, so that versions are compared.
  public init?(_ before: Place, _ after: Place?, isDrawn: Bool = false) {
    if let after {
      guard after.id == before.id else { return nil }
      if isDrawn, after.version == before.version { return nil }
      if !isDrawn, after.details == before.details { return nil }
    }
    self.before = before
    self.after = after
    isOver = false
  }

  /// A place whose lifetime has ended.
  public init(ended place: Place) {
    before = place
    after = place
    isOver = true
  }

  /// "Meeting has moved 320 m to the north-east", "Meeting is gone"
  var text: String {
    guard let after else { return "\(before.name) was removed" }
    if isOver { return "\(after.name) has ended" }
    let parts = [
      renamed(after), moved(after),
      moment("begins", before.lifetime.from, after.lifetime.from),
      moment("ends", before.lifetime.until, after.lifetime.until),
      before.schedule == after.schedule ? nil : "has other hours",
      before.beacons == after.beacons ? nil : "has other beacons",
      before.contents == after.contents ? nil : "has other contents",
    ].compactMap { $0 }
    let what = parts.isEmpty ? "was changed" : parts.joined(separator: ", ")
    return "\(before.name) \(what)"
  }

  private func renamed(_ after: Place) -> String? {
    after.name == before.name ? nil : "is called \(after.name) now"
  }

  private func moved(_ after: Place) -> String? {
    guard case .fixed(let from) = before.location, case .fixed(let to) = after.location,
      from != to
    else { return nil }
    let distance = Sphere.distance(from, to)
    // The earlier position of a drawn perimeter is unknown.
    guard case .circle = before.perimeter, case .circle = after.perimeter, distance >= 1 else {
      return nil
    }
    let way = PlaceDirection.compassWord(of: Sphere.bearing(from: from, to: to))
    return "has moved \(distance.inWords) to the \(way)"
  }

  private func moment(_ word: String, _ before: UTCInstant?, _ after: UTCInstant?) -> String? {
    guard before != after else { return nil }
    return after.map { "\(word) at \(ISO8601.text($0, digits: 0))" } ?? "\(word) at no set time"
  }
}
