import Core
import Ports
import Records
import Tracking

/// Runs the user's command for every notice, at least once, when the notice is durable.
///
/// A failed command is retried after a pause and abandoned in the end; while no command can be run,
/// notices wait without limit. A notice is marked as done in the store only when the command has
/// reported it: after a restart it is run again.
final class NoticeDelivery: Endpoint {
  /// Further notices wait in the store until these are done.
  static let most = 100
  private static let pauses: [Seconds] = [60, 300, 1800]

  let kind = "alert-command"
  let fruitlessLimit = 20

  private struct Waiting {
    var notice: Notice
    var isDurable: Bool
    var attempts = 0
    var notBefore: BootInstant?
  }

  private let writer: StoreWriter
  private let command: (any NoticeCommandPort)?
  /// Provides the facts of a place.
  private let source: PlaceSource
  private let log: LogChannel
  private var waiting: [Waiting] = []
  /// The back-off while commands cannot be run.
  private var backOff = BackOff(first: 60, maxPause: 900)
  /// Whether the store has more notices.
  private var hasMore = false

  init(
    _ writer: StoreWriter, _ command: (any NoticeCommandPort)?, _ source: PlaceSource,
    log: LogChannel
  ) {
    self.writer = writer
    self.command = command
    self.source = source
    self.log = log
  }

  var isSetUp: Bool { command?.isSetUp ?? false }
  var interest: Interest? { command?.interest }

  var due: BootInstant? {
    guard let command else { return nil }
    var next: BootInstant?
    if command.isSetUp, command.hasRoom {
      next = waiting.filter(\.isDurable).map { $0.notBefore ?? .zero }.min()
      if canReadMore { next = .zero }
      if let until = backOff.until { next = next.map { max($0, until) } }
    }
    return .earlier(command.due, next)
  }

  /// Adds notices that an earlier run has not completed, or that have waited in the store.
  func resume(_ notices: [Notice], of most: Int = most, at now: BootInstant) {
    guard isSetUp else { return }
    hasMore = notices.count >= most
    let known = Set(waiting.map(\.notice.id))
    waiting += notices.filter { !known.contains($0.id) }.map {
      Waiting(notice: $0, isDurable: true)
    }
    waiting.sort { $0.notice.id < $1.notice.id }
  }

  /// The command was changed or set up: it applies to the notices waiting in the store.
  func commandChanged() {
    backOff.succeeded()
    hasMore = true
  }

  func raised(_ notice: Notice) {
    guard isSetUp else { return }
    // Earlier ones may be in the store only.
    guard waiting.count < Self.most, !hasMore else { return hasMore = true }
    waiting.append(Waiting(notice: notice, isDurable: false))
  }

  /// Everything queued for the store is durable.
  func committed(at now: BootInstant) {
    for index in waiting.indices { waiting[index].isDurable = true }
  }

  func renumber(by shift: Renumbering) {
    for index in waiting.indices { waiting[index].notice = shift(waiting[index].notice) }
  }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let command else { return Served(isFruitful: false) }
    let outcomes = command.serve(at: now, isReady: isReady)
    for outcome in outcomes { finish(outcome, at: now) }
    let hasBegun = isSetUp && beginNext(command, at: now)
    return Served(isFruitful: !outcomes.isEmpty || hasBegun)
  }

  private func beginNext(_ command: any NoticeCommandPort, at now: BootInstant) -> Bool {
    if let until = backOff.until, now < until { return false }
    readMore(at: now)
    guard command.hasRoom,
      let next = waiting.first(where: { $0.isDurable && $0.notBefore.map { now >= $0 } ?? true })
    else { return false }
    do throws(PortError) {
      try command.begin(order(for: next.notice), at: now)
      backOff.succeeded()
    } catch {
      if case .refused(let why) = error {
        conclude(next.notice.id, .failed, why, at: now)
      } else {
        if backOff.failures == 0 {
          log.write("alert-command-waits", error.message, level: .warning, at: now)
        }
        backOff.failed(at: now)
      }
    }
    return true
  }

  private func order(for notice: Notice) -> NoticeCommandInput {
    let place = notice.placeUUID.flatMap(source.place)
    let shown = notice.crossing.flatMap(shownContent)
    let more = place.map { place in
      PlaceFacts(place, shown: shown).list { [source] in source.place($0.description)?.name }
    }
    return NoticeCommandInput(id: notice.id, facts: notice.facts + (more ?? []))
  }

  /// The content chosen at that arrival; nil: none, or the store cannot be read.
  private func shownContent(at crossing: Int64) -> String? {
    let answer = try? writer.query { (store) throws(PortError) in
      try store.shownContent(atCrossing: crossing)
    }
    return answer.flatMap { $0 }?.contentID
  }

  /// Notices whose command has failed do not hold up others.
  private var canReadMore: Bool {
    hasMore && writer.isAllStored && waiting.count < Self.most * 10
      && waiting.allSatisfy { $0.notBefore != nil }
  }

  private func readMore(at now: BootInstant) {
    guard canReadMore else { return }
    let most = Self.most + waiting.count
    let more = try? writer.query { (store) throws(PortError) in
      try store.waitingNotices(atMost: most)
    }
    if let more = more ?? nil {
      resume(more, of: most, at: now)
    } else {
      backOff.failed(at: now)
    }
  }

  private func finish(_ outcome: NoticeOutcome, at now: BootInstant) {
    switch outcome.result {
    case .done(exitStatus: 0): conclude(outcome.id, .done, "exit status 0", at: now)
    case .done(let status): again(outcome.id, "exit status \(status)", at: now)
    case .failed(let why), .unanswered(let why): again(outcome.id, why, at: now)
    }
  }

  private func again(_ id: Int64, _ why: String, at now: BootInstant) {
    guard let index = waiting.firstIndex(where: { $0.notice.id == id }) else { return }
    let attempts = waiting[index].attempts
    guard attempts < Self.pauses.count else { return conclude(id, .failed, why, at: now) }
    waiting[index].attempts += 1
    waiting[index].notBefore = now + Self.pauses[attempts]
    log.write(
      "alert-command-failed",
      "\(waiting[index].notice.alertName): \(why); it is retried in "
        + Self.pauses[attempts].inWords, level: .warning, at: now)
  }

  private func conclude(
    _ id: Int64, _ handling: Notice.Handling, _ outcome: String, at now: BootInstant
  ) {
    guard let index = waiting.firstIndex(where: { $0.notice.id == id }) else { return }
    var notice = waiting.remove(at: index).notice
    notice.handling = handling
    notice.outcome = outcome
    writer.storeDated(.notice(notice), at: now)
    guard handling == .failed else { return }
    log.write(
      "alert-command-failed", "\(notice.alertName): \(outcome); it is not retried",
      level: .warning, at: now)
  }
}

extension Notice {
  /// The facts passed to the command.
  fileprivate var facts: [NoticeCommandInput.Fact] {
    var facts: [NoticeCommandInput.Fact] = [
      .init("ALERT", alertName), .init("EVENT", kind.rawValue), .init("TEXT", text),
      .init("TEST", isTest ? "1" : "0"),
    ]
    func add(_ name: String, _ value: String?) {
      if let value { facts.append(.init(name, value)) }
    }
    add("TIME", time.map { ISO8601.text($0) })
    add("PLACE", placeName)
    add("PLACE_ID", placeUUID)
    add("CROSSING", crossing.map { "\($0)" })
    add("LATITUDE", position.map { FixedDecimal.text($0.latitude.value, digits: 7) })
    add("LONGITUDE", position.map { FixedDecimal.text($0.longitude.value, digits: 7) })
    add("ACCURACY_M", accuracy.map { FixedDecimal.text($0.value, digits: 1) })
    add("LOCATED_AT", locatedAt.map { ISO8601.text($0) })
    return facts
  }
}
