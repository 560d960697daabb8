import Core
import Places

/// A place as read from a file, before it is validated.
struct PlaceDraft: Sendable {
  var shape = PlaceShape.nowhere
  var properties = PlaceProperties()
  /// If it is known from elsewhere than the properties.
  var id: PlaceID?
  /// The file's id for it, which is not a UUID.
  var foreignID: String?
  /// Why a part of it was unreadable.
  var fault: PlaceError?
  /// Whether it is not a place, as explained in the notices.
  var isLeftOut = false
  var notices: [String] = []
  /// Whether it has no id of ours: then one of our names may have another meaning in it.
  private var isForeign = false

  init() {}

  /// The result, with its number in the file.
  /// - Parameter noun: the format's word for such an item.
  func entry(
    _ noun: String, _ number: Int, _ defaults: PlaceFileDefaults
  ) -> PlaceFileEntry {
    var draft = self
    let name = draft.name()
    let item = PlaceFileItem(noun, number, name: name)
    do throws(PlaceError) {
      if let fault = draft.fault { throw fault }
      if draft.isLeftOut { return PlaceFileEntry(item, .leftOut, notices: draft.notices) }
      let made = name ?? "Place \(number)"
      if name == nil { draft.notices.append("it has no name, and is named by its number") }
      let place = try draft.place(named: made, defaults)
      if let leftovers = draft.properties.unreadNames { draft.notices.append(leftovers) }
      return PlaceFileEntry(
        item, .place(place), isNamedByContent: draft.isForeign, notices: draft.notices)
    } catch {
      let refusal = PlaceFileError(error.reason, at: error.path, in: item)
      return PlaceFileEntry(item, .refused(refusal), notices: draft.notices)
    }
  }

  private mutating func name() -> String? {
    guard let found = properties.find("name", "title"),
      let text = try? PlaceProperties.plainText(found), !text.trimmed.isEmpty
    else { return nil }
    return text
  }

  private mutating func place(
    named name: String, _ defaults: PlaceFileDefaults
  ) throws(PlaceError) -> Place {
    isForeign = id == nil && properties.find("id").flatMap(Self.ownID) == nil
    let (location, perimeter) = try locationAndPerimeter(defaults)
    // GDAL may have made a list of a text under our name; a list from another program is invalid.
    let owner = try own("owner", isForeign ? PlaceProperties.text : PlaceProperties.plainText)
    var details = PlaceDetails(
      name: name, location: location, perimeter: perimeter, owner: owner ?? defaults.owner)
    if let found = properties.find("description", "desc") {
      details.description = try PlaceProperties.plainText(found)
    }
    details.lifetime.from = try own("valid_from", PlaceProperties.time)
    details.lifetime.until = try own("valid_until", PlaceProperties.time)
    if let found = properties.find("schedule") {
      details.schedule = PlaceSchedule(iCalendar: try PlaceProperties.plainText(found))
    }
    try audience(&details)
    details.tags = try own("tags", PlaceProperties.texts) ?? []
    details.beacons = try own { (draft) throws(PlaceError) in try draft.beacons() } ?? []
    details.contents = try own { (draft) throws(PlaceError) in try draft.contents() } ?? []
    details.relationships =
      try own { (draft) throws(PlaceError) in try draft.relationships() } ?? []
    let version = try own("version", PlaceProperties.whole)
    if let id = try identity() { return try Place(id: id, version: version ?? 1, details) }
    let id = try idByContent(details, owner: owner)
    return try Place(id: id, version: version ?? 1, details)
  }

  /// An unreadable member is an error in a place of ours. Otherwise it comes from another program,
  /// with another meaning: it is dropped, with a notice.
  mutating func own<Value>(
    _ read: (inout PlaceDraft) throws(PlaceError) -> Value?
  ) throws(PlaceError) -> Value? {
    do throws(PlaceError) { return try read(&self) } catch {
      guard isForeign else { throw error }
      let name = error.path.prefix { $0 != "[" && $0 != "." }
      notices.append("\(Quoted.text(String(name))) is not imported: \(error.reason)")
      return nil
    }
  }

  mutating func own<Value>(
    _ name: String, _ read: (PlaceProperties.Found) throws(PlaceError) -> Value
  ) throws(PlaceError) -> Value? {
    guard let found = properties.find(name) else { return nil }
    return try own { (_) throws(PlaceError) in try read(found) }
  }
}
