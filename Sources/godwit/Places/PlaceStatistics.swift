import Records
import Formats
import Core
import Places

/// The statistics of one place.
struct PlaceStatistics: Sendable {
  let place: Place
  let stays: PlaceStays.Sum
  let contents: [ContentStatistics]

  static func all(_ table: ContentTable) -> [PlaceStatistics] {
    let actions = Dictionary(grouping: table.actions, by: \.placeUUID)
    return table.places.map { place in
      PlaceStatistics(place, table.stays, actions[place.id.description] ?? [])
    }
  }

  private init(_ place: Place, _ stays: PlaceStays, _ actions: [ContentAction]) {
    self.place = place
    self.stays = stays.sum(of: place.id.description)
    let done = Dictionary(grouping: actions, by: \.contentID)
    let present = place.items.map { item in
      ContentStatistics(item, place.name, done[item.id.description] ?? [])
    }
    let known = Set(present.map(\.id))
    let gone = done.keys.sorted().filter { !known.contains($0) }.compactMap { id in
      done[id].flatMap { ContentStatistics(gone: $0, place.name) }
    }
    contents = present + gone
  }

  static let columns = Columns<PlaceStatistics>([
    .text("place", cell: .plain("PLACE", 8)) { $0.place.name },
    .count("entries", cell: .plain("ENTRIES", 7, .right)) { $0.stays.entries },
    .count("visits", cell: .plain("VISITS", 6, .right)) { $0.stays.visits },
    .text("dwell", cell: .plain("DWELL", 8, .right)) { $0.stays.dwell.inWords },
  ])

  var json: JSONValue {
    .object([
      ("id", .string(place.id.description)), ("place", .string(place.name)),
      ("entries", .count(stays.entries)), ("visits", .count(stays.visits)),
      ("dwell_s", .rounded(stays.dwell.value, digits: 1)),
      ("inside_since", .text(stays.since.map { ISO8601.text($0) })),
      ("contents", .array(contents.map(\.json))),
    ])
  }
}

/// The statistics of one content at one place.
struct ContentStatistics: Sendable {
  let id: String
  let place: String
  let title: String
  let type: String
  /// Whether the place no longer has it.
  let isGone: Bool
  private let counts: [ContentAction.Kind: Int]
  private let ranks: [Int]
  let comments: [ContentAction]

  init(_ item: ContentItem, _ place: String, _ actions: [ContentAction]) {
    self.init(item.id.description, place, item.title, item.type, actions, isGone: false)
  }

  /// - Returns: nil if nothing was done with it.
  init?(gone actions: [ContentAction], _ place: String) {
    guard let last = actions.last else { return nil }
    self.init(last.contentID, place, last.title, "", actions, isGone: true)
  }

  private init(
    _ id: String, _ place: String, _ title: String, _ type: String, _ actions: [ContentAction],
    isGone: Bool
  ) {
    self.id = id
    self.place = place
    self.title = title
    self.type = type
    self.isGone = isGone
    counts = Dictionary(grouping: actions, by: \.kind).mapValues(\.count)
    ranks = actions.compactMap { action in
      guard case .ranked(let rank)? = ContentUse(action), ContentCounts.ranks.contains(rank)
      else { return nil }
      return rank
    }
    comments = actions.filter { $0.kind == .commented }
  }

  private func count(_ kind: ContentAction.Kind) -> Int { counts[kind] ?? 0 }

  private var meanRank: Double? {
    ranks.isEmpty ? nil : Double(ranks.reduce(0, +)) / Double(ranks.count)
  }

  static let columns = Columns<ContentStatistics>([
    .text("place", cell: .plain("PLACE", 8)) { $0.place },
    .text("title", cell: .plain("CONTENT", 8)) { $0.title },
    .count("shown", cell: .plain("SHOWN", 5, .right)) { $0.count(.shown) },
    .count("viewed", cell: .plain("VIEWED", 6, .right)) { $0.count(.viewed) },
    .count("saved", cell: .plain("SAVED", 5, .right)) { $0.count(.saved) },
    .count("added_to_calendar", cell: .plain("DATED", 5, .right)) { $0.count(.calendar) },
    .number("mean_rank", digits: 2, cell: .figure("RANK", 4, digits: 1)) { $0.meanRank },
    .count("ranks", cell: .plain("RANKS", 5, .right)) { $0.ranks.count },
    .count("comments", cell: .plain("COMMENTS", 8, .right)) { $0.comments.count },
  ])

  var json: JSONValue {
    .object([
      ("id", .string(id)), ("title", .string(title)), ("type", .string(type)),
      ("gone", .bool(isGone)), ("shown", .count(count(.shown))),
      ("viewed", .count(count(.viewed))), ("saved", .count(count(.saved))),
      ("deleted", .count(count(.deleted))), ("added_to_calendar", .count(count(.calendar))),
      ("mean_rank", .rounded(meanRank, digits: 2)), ("ranks", .count(ranks.count)),
      (
        "comments",
        .array(
          comments.map { comment in
            .object([
              ("time", .string(ISO8601.text(comment.time))), ("text", .text(comment.detail)),
            ])
          })
      ),
    ])
  }
}
