import Notation
import Places
import Quantities

/// A place as a file has it, before it is known whether it is one.
struct PlaceDraft: Sendable {
  var shape = PlaceShape.nowhere
  var properties = PlaceProperties()
  /// Where it is known otherwise than from the properties.
  var id: PlaceID?
  /// What the file knows it by, which is no UUID.
  var foreignID: String?
  /// Why not all of it could be read.
  var fault: PlaceError?
  /// Whether it is none, as the notices say.
  var isLeftOut = false
  var notices: [String] = []

  init() {}

  /// What comes out of it, under its number in the file.
  /// - Parameter noun: what the format calls such a thing.
  func entry(
    _ noun: String, _ number: Int, _ defaults: PlaceFileDefaults,
    using chance: inout some RandomNumberGenerator
  ) -> PlaceFileEntry {
    var draft = self
    let name = draft.name()
    let item = PlaceFileItem(noun, number, name: name)
    do throws(PlaceError) {
      if let fault = draft.fault { throw fault }
      if draft.isLeftOut { return PlaceFileEntry(item, .leftOut, notices: draft.notices) }
      let made = name ?? "Place \(number)"
      if name == nil { draft.notices.append("it has no name, and is called after its number") }
      let place = try draft.place(named: made, defaults, using: &chance)
      if let leftovers = draft.properties.leftovers { draft.notices.append(leftovers) }
      return PlaceFileEntry(item, .place(place), notices: draft.notices)
    } catch {
      let refusal = PlaceFileError(error.reason, at: error.path, in: item)
      return PlaceFileEntry(item, .refused(refusal), notices: draft.notices)
    }
  }

  private mutating func name() -> String? {
    guard let found = properties.find("name", "title"),
      let text = try? PlaceProperties.wording(found), !text.trimmed.isEmpty
    else { return nil }
    return text
  }

  private mutating func place(
    named name: String, _ defaults: PlaceFileDefaults,
    using chance: inout some RandomNumberGenerator
  ) throws(PlaceError) -> Place {
    let (location, perimeter) = try whereabouts(defaults)
    let owner = try properties.find("owner").map(PlaceProperties.wording)
    var details = PlaceDetails(
      name: name, location: location, perimeter: perimeter, owner: owner ?? defaults.owner)
    if let found = properties.find("description", "desc") {
      details.description = try PlaceProperties.wording(found)
    }
    details.lifetime.from = try properties.find("valid_from").map(PlaceProperties.time)
    details.lifetime.until = try properties.find("valid_until").map(PlaceProperties.time)
    if let found = properties.find("schedule") {
      details.schedule = PlaceSchedule(iCalendar: try PlaceProperties.wording(found))
    }
    try audience(&details)
    details.tags = try properties.find("tags").map(PlaceProperties.texts) ?? []
    details.beacons = try beacons()
    details.contents = try contents()
    details.relationships = try relationships()
    let version = try properties.find("version").map(PlaceProperties.whole)
    let id = try identity() ?? PlaceID.made(using: &chance)
    return try Place(id: id, version: version ?? 1, details)
  }
}
