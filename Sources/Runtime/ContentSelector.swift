import Records
import Core
import Places
import Ports
import Tracking

/// Chooses what is shown when the board enters a place (LYU1402, 5.5.1). The choice is stored with
/// the crossing in one transaction: after a kill both are there, or neither is.
final class ContentSelector {
  /// The most recent crossings that interests are inferred from.
  private static let mostCrossings = 20_000
  /// Visited places whose contents are evaluated.
  private static let mostPlaces = 500

  /// What was chosen last.
  struct Shown {
    var item: ContentItem
    var place: Place
    var time: UTCInstant
  }

  private let writer: StoreWriter
  private let source: PlaceSource
  private let log: LogChannel
  private var random: any RandomNumberGenerator
  /// The visits by type, and the day they were counted on; nil: not counted yet.
  private var visits: (byType: [String: Int], day: Int64)?
  /// What was chosen and may not be in the store yet.
  private var pending: [UniqueID: Int] = [:]
  private var remark: String?
  private(set) var last: Shown?

  init(
    _ writer: StoreWriter, _ source: PlaceSource, chance: any RandomNumberGenerator,
    log: LogChannel
  ) {
    self.writer = writer
    self.source = source
    self.random = chance
    self.log = log
  }

  /// Places or interests were edited.
  func edited() { visits = nil }

  /// Everything queued for the store is durable.
  func committed() { pending = [:] }

  /// The board has entered a place.
  /// - Returns: what is to be stored with the crossing; nil: there is nothing to show.
  func entered(
    _ place: Place, _ crossing: Crossing, by clock: UTCClock, at now: BootInstant
  ) -> ContentAction? {
    let items = place.items
    guard !items.isEmpty else { return nil }
    let interests = interests(on: crossing.time, at: now)
    let tallies = tallies(of: items)
    guard
      let item = ContentChoice.choose(
        items, tallies, interests: interests, at: clock.isSure ? clock.utc(at: now) : nil,
        using: &random)
    else { return nil }
    pending[item.id, default: 0] += 1
    last = Shown(item: item, place: place, time: crossing.time)
    let score = ContentChoice.score(
      interest: interests[item.type], tallies[item.id] ?? ContentCounts())
    log.write(
      "content-shown",
      "\(place.name): \(item.title) (score \(score), \(Counted.text(items.count, "content")))",
      at: now)
    return ContentAction(
      .shown, at: crossing.time, content: (item.id.description, item.title),
      place: crossing.placeUUID, crossing: crossing.id)
  }

  /// The counts of the store, and of what is queued for it. If the store cannot be queried, only
  /// the latter count, so that something is shown in any case.
  private func tallies(of items: [ContentItem]) -> [UniqueID: ContentCounts] {
    let ids = items.map(\.id.description)
    let answer = try? writer.query { (store) throws(PortError) in
      try store.contentCounts(of: ids)
    }
    var counts: [String: [ContentAction.Kind: Int]] = [:]
    for count in answer.flatMap({ $0 }) ?? [] {
      counts[count.contentID, default: [:]][count.kind] = count.count
    }
    var tallies: [UniqueID: ContentCounts] = [:]
    for item in items {
      let count = counts[item.id.description] ?? [:]
      tallies[item.id] = ContentCounts(
        shown: (count[.shown] ?? 0) + (pending[item.id] ?? 0), viewed: count[.viewed] ?? 0,
        addedToCalendar: count[.calendar] ?? 0)
    }
    return tallies
  }

  // MARK: Interests

  private func interests(on date: UTCInstant, at now: BootInstant) -> InterestScores {
    var interests = InterestScores()
    let answer = try? writer.query { (store) throws(PortError) in try store.interests() }
    do throws(ContentRefusal) {
      interests = try InterestScores(text: answer.flatMap { $0 })
    } catch {
      // Whether visits may be used is unknown then.
      interests.infersFromVisits = false
      if remark != error.message {
        log.write("interests-unread", error.message, level: .warning, at: now)
      }
      remark = error.message
    }
    if interests.infersFromVisits { interests.infer(from: visits(on: date)) }
    return interests
  }

  /// Counted once a day.
  private func visits(on date: UTCInstant) -> [String: Int] {
    let day = Int64((date.seconds / 86_400).rounded(.down))
    if let visits, visits.day == day { return visits.byType }
    let answer = try? writer.query { (store) throws(PortError) in
      try store.crossings(since: date - InterestSources.span, atMost: Self.mostCrossings)
    }
    guard let crossings = answer.flatMap({ $0 }) else { return visits?.byType ?? [:] }
    var stays = PlaceStays()
    for crossing in crossings { stays.add(crossing) }
    let visited = stays.places.sorted().filter { stays.sum(of: $0, until: date).visits > 0 }
    let places = visited.prefix(Self.mostPlaces).compactMap { source.place($0) }
    let byType = InterestSources(stays, at: places, until: date).visits
    visits = (byType, day)
    return byType
  }
}
