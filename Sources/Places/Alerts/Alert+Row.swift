import Core
import Records

extension Alert {
  /// Checks a row.
  /// - Parameters:
  ///   - visitor: the person who follows places.
  ///   - local: the zone of times that do not name one.
  ///   - zones: finds a zone by its TZID.
  /// - Throws: the first thing that is wrong, with what to do about it.
  public init(
    _ row: StoredAlert, visitor: Visitor = Visitor(""), local: TimeZoneRules,
    zones: (String) -> TimeZoneRules?
  ) throws(AlertError) {
    let kind = try Self.word(AlertKind.self, row.kind, "kind")
    self.init(
      id: row.id, name: try Self.name(row), try Self.rule(kind, row, visitor),
      schedule: try Self.schedule(kind, row, local, zones),
      accuracy: try Self.checked(row.accuracy, AlertLimits.accuracy, "accuracy_m"),
      isOnce: row.isOnce ?? false,
      resendPause: try Self.checked(
        row.resendPause, AlertLimits.resendPauses, "resend_pause_s")
        ?? AlertLimits.usualPause(of: row.kind))
  }

  private static func name(_ row: StoredAlert) throws(AlertError) -> String {
    guard let name = row.name, !name.isEmpty else {
      throw AlertError("name", "it is empty: set one, for the notices")
    }
    guard name.utf8.count <= AlertLimits.name else {
      throw AlertError("name", "it is longer than \(AlertLimits.name) bytes: shorten it")
    }
    guard !TerminalText.hasControlCharacter(name) else {
      throw AlertError("name", "it has a line break or another control character: remove it")
    }
    return name
  }

  private static func rule(
    _ kind: AlertKind, _ row: StoredAlert, _ visitor: Visitor
  ) throws(AlertError) -> AlertRule {
    let selection = selection(row, visitor)
    switch kind {
    case .enter: return .enter(selection)
    case .leave: return .leave(selection)
    case .outside: return .outside(selection)
    case .dwell:
      let stay = try checked(row.stay, AlertLimits.stay, "stay_s")
      return .dwell(selection, stay ?? AlertLimits.dwellStay)
    case .near:
      let distance = try checked(row.distance, AlertLimits.distance, "distance_m")
      return .near(selection, distance ?? AlertLimits.nearDistance)
    case .notThereBy: return .notThereBy(try some(selection))
    case .notBackBy: return .notBackBy(try some(selection))
    case .changed: return .changed(selection)
    case .moved: return .moved(try guarding(row, AlertLimits.parkedRadius, grace: 0))
    case .anchor:
      return .anchor(try guarding(row, AlertLimits.anchorRadius, grace: AlertLimits.anchorGrace))
    }
  }

  private static func selection(_ row: StoredAlert, _ visitor: Visitor) -> PlaceSelection {
    let places = places(row)
    return row.isFollowed ?? false ? .followed(places, by: visitor) : places
  }

  private static func places(_ row: StoredAlert) -> PlaceSelection {
    if let place = row.place, !place.isEmpty {
      return PlaceID(place).map { .one($0) } ?? .named(place)
    }
    if let tag = row.tag, !tag.isEmpty { return .tagged(tag) }
    return .all
  }

  /// Being at any of all places is no useful condition.
  private static func some(_ selection: PlaceSelection) throws(AlertError) -> PlaceSelection {
    guard selection != .all else {
      throw AlertError("place", "it is empty: set the place at which the board must be")
    }
    return selection
  }

  private static func guarding(
    _ row: StoredAlert, _ radius: Metres, grace: Seconds
  ) throws(AlertError) -> Guard {
    let arming = try row.armedBy.map { (text: String) throws(AlertError) in
      try word(AlertArming.self, text, "armed_by")
    }
    return Guard(
      radius: try checked(row.radius, AlertLimits.radius, "radius_m") ?? radius,
      grace: try checked(row.grace, AlertLimits.grace, "grace_s") ?? grace,
      centre: try centre(row), arming: arming ?? .hand, isArmed: row.isArmed ?? false)
  }

  private static func centre(_ row: StoredAlert) throws(AlertError) -> Coordinate? {
    switch (row.centreLatitude, row.centreLongitude) {
    case (nil, nil): return nil
    case (let latitude?, let longitude?):
      let centre = Coordinate(checkedLatitude: latitude.value, longitude: longitude.value)
      guard let centre else {
        throw AlertError("centre_latitude_deg", "it is not a position on the Earth")
      }
      return centre
    default:
      throw AlertError(
        "centre_latitude_deg", "latitude and longitude belong together: set both or none")
    }
  }

  private static func schedule(
    _ kind: AlertKind, _ row: StoredAlert, _ local: TimeZoneRules,
    _ zones: (String) -> TimeZoneRules?
  ) throws(AlertError) -> Schedule? {
    let isDeadline = kind.hasDeadline
    let needs = isDeadline || row.armedBy == AlertArming.schedule.rawValue
    guard let text = row.schedule, !text.isEmpty else {
      if needs { throw AlertError("schedule", "it is empty: set the times, as lines of iCalendar") }
      return nil
    }
    do {
      let schedule = try Schedule(calendar: text, local: local, zones: zones)
      return isDeadline ? schedule : try schedule.lasting()
    } catch {
      throw AlertError("schedule", "it \(error)")
    }
  }

  private static func word<Word: StoredWord>(
    _ type: Word.Type, _ text: String?, _ part: String
  ) throws(AlertError) -> Word {
    if let word = text.flatMap(Word.init(rawValue:)) { return word }
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    throw AlertError(part, "it must be one of \(words)")
  }

  /// Nil stays nil.
  private static func checked<Q: Quantity>(
    _ value: Q?, _ bounds: ClosedRange<Q>, _ part: String
  ) throws(AlertError) -> Q? {
    guard let value else { return nil }
    guard bounds.contains(value) else {
      throw AlertError(
        part,
        "\(value.value) is out of range: \(FixedDecimal.text(bounds.lowerBound.value, digits: 0)) "
          + "to \(FixedDecimal.text(bounds.upperBound.value, digits: 0)) \(Q.symbol)")
    }
    return value
  }
}
