import Core
import Records

/// Texts of notices, with figures.
enum AlertText {
  static func dwelt(_ place: Place, _ stay: Seconds) -> String {
    "at \(place.name) for \(stay.inWords)"
  }

  /// - Parameter distance: to the nearest of the places; nil: unknown.
  static func missing(
    _ kind: AlertKind, _ places: String, distance: Metres?, _ location: Location?,
    at date: UTCInstant
  ) -> String {
    let what = kind == .notBackBy ? "not back at" : "not at"
    guard let location else { return "\(what) \(places): the board's position is unknown" }
    let age = "located \(max(date - location.time, 0).inWords) ago"
    let way = distance.map { "\($0.inWords) away, " } ?? ""
    return "\(what) \(places): \(way)known within \(location.accuracy.inWords), \(age)"
  }

  static func moved(_ distance: Metres, goesOn: Bool, _ location: Location) -> String {
    let known = "known within \(location.accuracy.inWords)"
    return goesOn
      ? "still moving: now \(distance.inWords) from where it was parked, \(known)"
      : "moved while parked: \(distance.inWords) from where it was, \(known)"
  }

  static func dragged(
    _ distance: Metres, _ location: Location, _ drift: Drift
  ) -> String {
    var text = "\(distance.inWords) from the anchor, known within \(location.accuracy.inWords)"
    if let (speed, bearing) = drift.estimate {
      let metres = FixedDecimal.text(speed.value * 60, digits: 1)
      text += ", drifting \(metres) m/min towards \(PlaceDirection.compassWord(of: bearing))"
    }
    return text
  }
}

extension PlaceSelection {
  /// For a sentence.
  func words(_ places: [Place]) -> String {
    switch self {
    case .named(let name): return name
    case .tagged(let tag): return "any place with the tag \(tag)"
    case .followed(let selection, _): return selection.words(places)
    case .one, .all: return places.first?.name ?? "the place"
    }
  }
}
