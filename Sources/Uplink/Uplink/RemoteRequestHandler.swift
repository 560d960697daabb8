import Delivery
import Core
import Formats
import Places
import Platform
import Ports
import Records
import Runtime
import Tracking

/// Where an answer goes, and what it brings along for who has asked.
struct ReplyAddress: Hashable {
  let topic: String
  let correlation: [UInt8]
}

/// Answers what is asked from afar: from the store what was recorded, from the daemon what is.
final class RemoteRequestHandler {
  /// A fix that is waited for.
  private struct Wait {
    let request: RemoteRequest
    let asker: ReplyAddress
    /// By the daemon's date, which is the receiver's: the system's may be ahead of it by minutes.
    let asked: UTCInstant
    let deadline: BootInstant
    /// What the receiver had drawn until then.
    let energy: Double?
  }

  /// Of places and alerts.
  private static let mostRows = 200
  private static let mostWaits = 4
  private static let pollPause: Seconds = 5

  private let history: any HistoryPort
  private let daemon: (any DaemonPort)?
  private let outbox: any OutboxPort
  private let scope: RequestSettings.Scope
  private let privacy: () -> PrivacyFilter?
  private let clock: () -> BootInstant
  private var waits: [Wait] = []
  private var nextPoll: BootInstant?

  /// - Parameter privacy: nil: it is not known what may leave, and nothing does.
  init(
    _ history: any HistoryPort, _ daemon: (any DaemonPort)?, _ outbox: any OutboxPort,
    _ scope: RequestSettings.Scope, privacy: @escaping () -> PrivacyFilter?,
    clock: @escaping () -> BootInstant = { BootClock.now }
  ) {
    self.history = history
    self.daemon = daemon
    self.outbox = outbox
    self.scope = scope
    self.privacy = privacy
    self.clock = clock
  }

  /// When it looks again whether a fix has come.
  var wake: BootInstant? { nextPoll }

  /// When the last answer is there that is waited for, with time to give it; nil: none is.
  var deadline: BootInstant? { waits.map(\.deadline).max().map { $0 + Self.pollPause } }

  /// - Returns: nil: the answer comes later.
  func ask(_ bytes: [UInt8], for asker: ReplyAddress, at now: UTCInstant) -> RemoteAnswer? {
    do throws(RemoteRequestError) {
      let request = try RemoteRequest(parsing: bytes)
      if let why = objection(to: request, at: now) ?? repetition(of: request, at: now) {
        return RemoteAnswer(to: request, refusedBecause: why)
      }
      let answer = answer(request, asker, at: now)
      // What was not done may be asked once more.
      if request.isOrder, answer?.isRefused == true { try? outbox.forget(order: request.id) }
      return answer
    } catch {
      return RemoteAnswer(to: error)
    }
  }

  /// For who is not answered now.
  static func refusal(of bytes: [UInt8], because why: String) -> RemoteAnswer {
    do throws(RemoteRequestError) {
      return RemoteAnswer(to: try RemoteRequest(parsing: bytes), refusedBecause: why)
    } catch {
      return RemoteAnswer(to: error)
    }
  }

  private func objection(to request: RemoteRequest, at now: UTCInstant) -> String? {
    if request.isOrder, scope != .orders {
      return "this board takes no orders (uplink.requests is \"\(scope.rawValue)\")"
    }
    return request.objection(at: now)
  }

  /// Why an order is not carried out again; nil: it is none, or the first of its id. Brokers
  /// deliver twice, and whoever has heard an order can repeat it.
  private func repetition(of request: RemoteRequest, at now: UTCInstant) -> String? {
    guard request.isOrder, let sent = request.sent else { return nil }
    do throws(PortError) {
      let end = sent + request.validity
      return try outbox.remember(order: request.id, until: end, at: now)
        ? nil : "an order of this \"id\" came before, and counts once: give each its own"
    } catch {
      return Self.unable
    }
  }

  private func answer(
    _ request: RemoteRequest, _ asker: ReplyAddress, at now: UTCInstant
  ) -> RemoteAnswer? {
    guard let privacy = privacy() else {
      return RemoteAnswer(to: request, refusedBecause: "it is not known what may leave the board")
    }
    do {
      switch request.action {
      case .position: return RemoteAnswer(to: request, try position(privacy, at: now))
      case .track(let from, let to, let most):
        return RemoteAnswer(to: request, try track(from, to, most, privacy))
      case .visits(let from, let to, let most):
        return RemoteAnswer(to: request, try visits(from, to, most, privacy))
      case .places: return RemoteAnswer(to: request, try places(privacy))
      case .alerts: return RemoteAnswer(to: request, try alerts(privacy))
      case .status:
        let status = BoardStatus(try ask(.status)).summary(as: privacy)
        return RemoteAnswer(to: request, [("status", status)])
      case .budget:
        return RemoteAnswer(to: request, [("budget", try ask(.status)["budget"] ?? .null)])
      case .gnss(let order):
        _ = try ask(.gnss(GnssOverride(order)))
        return RemoteAnswer(to: request, [("gnss_order", .string(order.rawValue))])
      case .fix(let limit, let accuracy):
        return try begin(request, asker, limit, accuracy, at: now)
      }
    } catch {
      // What exactly is the board's own business: names of files, and of others.
      return RemoteAnswer(to: request, refusedBecause: Self.unable)
    }
  }

  private static let unable = "the board cannot say it now: its store or its daemon does not answer"

  // MARK: From the store

  private func position(
    _ privacy: PrivacyFilter, at now: UTCInstant
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    guard let newest = try PresentLocation(history, daemon, at: now),
      let released = newest.released(by: privacy)
    else { return [("position", .null)] }
    return [("position", .point(released)), ("age_s", .rounded(newest.age.value, digits: 0))]
  }

  /// It comes to no fix: the last position is told instead.
  private func noFix(
    _ request: RemoteRequest, because why: String, at now: UTCInstant
  ) -> RemoteAnswer {
    let last = privacy().flatMap { try? position($0, at: now) } ?? []
    return RemoteAnswer(to: request, refusedBecause: why, last)
  }

  private static let switchedOff = "GNSS is switched off by command"

  /// Only what is told says where the next page begins: when something was withheld is nobody's
  /// business either.
  private func track(
    _ from: UTCInstant, _ to: UTCInstant?, _ most: Int, _ privacy: PrivacyFilter
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    var points: [TrackPoint] = []
    var next: UTCInstant? = from
    var page = 0
    while let start = next, points.count < most, page < Self.mostPages {
      page += 1
      let found = try history.trackPoints(from: start, to: to, atMost: most)
      points += found.compactMap { privacy.released($0) as? TrackPoint }
      next = found.count < most ? nil : found.last.map { $0.location.time + TrackPoint.resolution }
    }
    let told = points.prefix(most)
    let hasMore = next != nil || points.count > most
    return [
      ("points", .array(told.map { .point($0) })),
      ("next", Self.next(hasMore, after: told.last?.location.time)),
    ]
  }

  private func visits(
    _ from: UTCInstant, _ to: UTCInstant?, _ most: Int, _ privacy: PrivacyFilter
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    // A store of years has some thousands.
    let found = try history.visits(from: from, to: to, atMost: most * Self.mostPages)
    let visits = found.compactMap { privacy.released($0) as? Visit }
    let told = visits.prefix(most)
    return [
      ("visits", .array(told.map { .visit($0) })),
      (
        "next",
        Self.next(visits.count > most, after: told.last?.departure?.estimate)
      ),
    ]
  }

  /// So many are looked through for one page that may leave.
  private static let mostPages = 50

  private static func next(_ hasMore: Bool, after last: UTCInstant?) -> JSONValue {
    guard hasMore, let last else { return .null }
    return .string(ISO8601.text(last + TrackPoint.resolution))
  }

  private func places(
    _ privacy: PrivacyFilter
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    let rows = try history.placeRows(atMost: Self.mostRows)
    let places = rows.compactMap { $0.entry(.ofStore).place }.filter { privacy.shows($0) }
    return [
      (
        "places",
        .array(
          places.map {
            .object([("uuid", .string($0.id.description)), ("name", .string($0.name))])
          })
      )
    ]
  }

  private func alerts(
    _ privacy: PrivacyFilter
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    guard privacy.isTransparent else { return [("alerts", .array([]))] }
    let rows = try history.alertRows(atMost: Self.mostRows)
    return [
      (
        "alerts",
        .array(
          rows.map {
            .object([
              ("id", .count($0.id)), ("name", .text($0.name)),
              ("enabled", .bool($0.isEnabled ?? true)),
            ])
          })
      )
    ]
  }

  // MARK: From the daemon

  private func ask(_ request: ControlRequest) throws(PortError) -> JSONValue {
    guard let daemon else { throw PortError("the daemon is not asked here") }
    let answer = try daemon.ask(request.json)
    if let why = answer["error"]?.string { throw PortError(why) }
    return answer
  }

  private func begin(
    _ request: RemoteRequest, _ asker: ReplyAddress, _ limit: Seconds, _ accuracy: Metres?,
    at now: UTCInstant
  ) throws(PortError) -> RemoteAnswer? {
    guard waits.count < Self.mostWaits else {
      return RemoteAnswer(to: request, refusedBecause: "others wait for a fix already: ask again")
    }
    let before = try ask(.status)
    guard !BoardStatus(before).isOrderedOff else {
      return noFix(request, because: Self.switchedOff, at: now)
    }
    let date = before["time"]?.string.flatMap { ISO8601.parse($0) }
    _ = try ask(.fix(within: limit, accuracy: accuracy))
    waits.append(
      Wait(
        request: request, asker: asker, asked: date ?? now,
        deadline: clock() + limit + Self.pollPause,
        energy: before["energy"]?["gnss_energy_J"]?.number))
    followPoll()
    return nil
  }

  /// Answers those whose fix has come, or whose time is over.
  func poll(at now: UTCInstant) -> [(RemoteAnswer, ReplyAddress)] {
    guard let due = nextPoll, due <= clock() else { return [] }
    let status = try? ask(.status)
    var answers: [(RemoteAnswer, ReplyAddress)] = []
    waits.removeAll { wait in
      guard let answer = conclude(wait, status, at: now) else { return false }
      answers.append((answer, wait.asker))
      return true
    }
    followPoll()
    return answers
  }

  private func followPoll() {
    let end = waits.map(\.deadline).min()
    nextPoll = end.map { min(clock() + Self.pollPause, max($0, clock())) }
  }

  private func conclude(
    _ wait: Wait, _ status: JSONValue?, at now: UTCInstant
  ) -> RemoteAnswer? {
    let energy = status?["energy"]?["gnss_energy_J"]?.number
    let price = energy.flatMap { after in wait.energy.map { max(after - $0, 0) } }
    if let fix = status?["fix"], let time = fix["time"]?.string.flatMap({ ISO8601.parse($0) }),
      time >= wait.asked, isGoodEnough(fix, wait)
    {
      // One that may not leave is, for who has asked, none.
      if let shown = BoardStatus(status ?? .null).fix(as: privacy()) {
        return RemoteAnswer(
          to: wait.request, [("fix", shown), ("energy_J", .rounded(price, digits: 3))])
      }
    }
    let isOff = status.map { BoardStatus($0).isOrderedOff } ?? false
    guard isOff || clock() >= wait.deadline else { return nil }
    let why = isOff ? Self.switchedOff : "no fix has come within the time"
    let spent = price.map { ", for \(FixedDecimal.text($0, digits: 2)) J" } ?? ""
    return noFix(wait.request, because: why + spent, at: now)
  }

  private func isGoodEnough(_ fix: JSONValue, _ wait: Wait) -> Bool {
    guard case .fix(_, let accuracy?) = wait.request.action else { return true }
    return fix["accuracy_m"]?.number.map { $0 <= accuracy.value } ?? false
  }
}

extension GnssOverride {
  fileprivate init(_ order: RemoteRequest.GnssOrder) {
    switch order {
    case .on: self = .on
    case .off: self = .off
    case .auto: self = .auto
    }
  }
}
