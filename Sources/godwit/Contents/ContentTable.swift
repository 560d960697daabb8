import Records
import Core
import Places
import Platform
import Ports
import Store

/// The contents of a store's places, their use, and people's interests.
struct ContentTable {
  /// The contents place by place, in order; then those that no place has any more.
  private(set) var rows: [ListedContent] = []
  let interests: InterestScores
  let sources: InterestSources
  let stays: PlaceStays
  let places: [Place]
  let actions: [ContentAction]
  /// The time of the newest record.
  let newest: UTCInstant?

  init(_ reader: StoreReader) throws {
    try reader.freeze()
    let table = try PlaceTable(reader)
    table.printRemarks()
    places = table.places
    newest = try reader.newestRecord()
    var stays = PlaceStays()
    var recent = PlaceStays()
    let since = newest.map { $0 - InterestSources.span }
    var crossings = try reader.crossings()
    while let crossing = try crossings.next() {
      stays.add(crossing)
      if since.map({ crossing.time >= $0 }) ?? true { recent.add(crossing) }
    }
    self.stays = stays
    sources = InterestSources(recent, at: places, until: newest)
    do throws(ContentRefusal) {
      var interests = try InterestScores(text: try reader.interestsText())
      interests.infer(from: sources.visits)
      self.interests = interests
    } catch {
      throw CommandError.failed("\(error.message): set them again with `godwit contents interests`")
    }
    var cursor = try reader.contentActions()
    actions = try cursor.all()
    rows = listed()
  }

  private func listed() -> [ListedContent] {
    let done = Dictionary(grouping: actions, by: \.contentID)
    var rows: [ListedContent] = []
    for place in places {
      for content in place.contents {
        guard let item = content.item else { continue }
        let own = done[item.id.description] ?? []
        let tally = ContentCounts(own)
        rows.append(
          ListedContent(
            item: item, mediaType: content.mediaType, placeID: place.id.description, place: place,
            tally: tally,
            score: ContentChoice.score(interest: interests[item.type], tally),
            comments: own.count { $0.kind == .commented }))
      }
    }
    let known = Set(rows.map(\.item.id.description))
    for (id, own) in done.sorted(by: { $0.key < $1.key }) where !known.contains(id) {
      guard let last = own.last, let id = UniqueID(id) else { continue }
      rows.append(
        ListedContent(
          item: ContentItem(id: id, title: last.title), mediaType: nil, placeID: last.placeUUID,
          place: places.first { $0.id.description == last.placeUUID }, tally: ContentCounts(own),
          score: nil, comments: own.count { $0.kind == .commented }))
    }
    return rows
  }

  // MARK: One of them

  /// - Parameter words: the UUID, its first digits, or the title, case-insensitive.
  func content(_ words: String) throws(CommandError) -> ListedContent {
    let found = NameLookup.all(
      words, among: rows, id: \.item.id.description, name: \.item.title)
    let ids = Set(found.map(\.item.id)).sorted()
    guard let first = ids.first else {
      throw .failed(
        "there is no content \"\(TerminalText.line(words))\"; `godwit contents` lists them")
    }
    guard ids.count == 1 else {
      let few = ids.prefix(5).map { String($0.description.prefix(8)) }.joined(separator: ", ")
      throw .failed(
        "\(ids.count) contents are called \"\(TerminalText.line(words))\": specify one by the "
          + "first digits of its UUID: \(few)")
    }
    // If several places have it, the one where it was last shown.
    let last = actions.last { $0.contentID == first.description }?.placeUUID
    guard let row = found.first(where: { $0.placeID == last }) ?? found.first else {
      preconditionFailure("an id comes from a row")
    }
    return row
  }
}

extension StoreReader {
  /// Converts the error, because `ContentRefusal` has no case for an unreadable store.
  fileprivate func interestsText() throws(ContentRefusal) -> String? {
    do throws(PortError) { return try interests() } catch {
      throw ContentRefusal(error.message)
    }
  }
}

extension StoreOptions {
  func contents() throws -> ContentTable {
    var table: ContentTable?
    try read { table = try ContentTable($0) }
    guard let table else { preconditionFailure("read returns after it has read") }
    return table
  }

  /// Uses a content; the use is counted and logged.
  /// - Returns: the content afterwards.
  func count(_ use: ContentUse, of content: ListedContent) throws -> ListedContent {
    // A board without a clock has no better date than that of its newest record.
    let newest = try contents().newest ?? UTCInstant(nanoseconds: 0)
    let action = ContentAction(
      use.kind, at: max(BootClock.systemDate, newest),
      content: (content.item.id.description, content.item.title), place: content.placeID,
      detail: use.detail)
    try edit { store in
      try ContentEditor(store).add(action) { before in
        var tally = ContentCounts(before)
        do throws(ContentRefusal) { try tally.count(use) } catch {
          throw CommandError.failed("\(TerminalText.line(content.item.title)): \(error.message)")
        }
      }
    }
    return try contents().content(content.item.id.description)
  }
}
