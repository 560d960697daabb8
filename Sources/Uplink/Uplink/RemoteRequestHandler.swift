import Delivery
import Core
import Formats
import Places
import Platform
import Ports
import Records
import Runtime
import Tracking

/// The topic of an answer, and the correlation data for the requester.
struct ReplyAddress: Hashable {
  let topic: String
  let correlation: [UInt8]
}

/// Answers remote requests: recorded data from the store, present data from the daemon.
final class RemoteRequestHandler {
  /// A pending fix request.
  private struct Wait {
    let request: RemoteRequest
    let replyAddress: ReplyAddress
    /// By the daemon's date, which is the receiver's: the system's may be minutes ahead of it.
    let requestedAt: UTCInstant
    let deadline: BootInstant
    /// The energy the receiver had drawn until then, in joules.
    let energy: Double?
  }

  /// The maximum number of places or alerts in an answer.
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

  /// - Parameter privacy: returns nil if it is unknown what may leave; then nothing does.
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

  /// When to check again whether a fix has come.
  var wake: BootInstant? { nextPoll }

  /// When the last pending answer is due, with a margin; nil: none is pending.
  var deadline: BootInstant? { waits.map(\.deadline).max().map { $0 + Self.pollPause } }

  /// - Returns: nil: the answer comes later.
  func handle(_ bytes: [UInt8], for asker: ReplyAddress, at now: UTCInstant) -> RemoteAnswer? {
    do throws(RemoteRequestError) {
      let request = try RemoteRequest(parsing: bytes)
      if let why = objection(to: request, at: now) ?? repetition(of: request, at: now) {
        return RemoteAnswer(to: request, refusedBecause: why)
      }
      let answer = answer(request, asker, at: now)
      // A command that failed may be sent again.
      if request.isCommand, answer?.isRefused == true { try? outbox.forget(order: request.id) }
      return answer
    } catch {
      return RemoteAnswer(to: error)
    }
  }

  /// For a request that is not answered now.
  static func refusal(of bytes: [UInt8], because why: String) -> RemoteAnswer {
    do throws(RemoteRequestError) {
      return RemoteAnswer(to: try RemoteRequest(parsing: bytes), refusedBecause: why)
    } catch {
      return RemoteAnswer(to: error)
    }
  }

  private func objection(to request: RemoteRequest, at now: UTCInstant) -> String? {
    if request.isCommand, scope != .commands {
      return "this board accepts no commands (uplink.requests is \"\(scope.rawValue)\")"
    }
    return request.objection(at: now)
  }

  /// Why a command is not executed again; nil: it is no command, or the first of its id. Brokers
  /// may deliver twice, and anybody who has received a command can repeat it.
  private func repetition(of request: RemoteRequest, at now: UTCInstant) -> String? {
    guard request.isCommand, let sent = request.sent else { return nil }
    do throws(PortError) {
      let end = sent + request.validity
      return try outbox.remember(order: request.id, until: end, at: now)
        ? nil : "a command with this \"id\" was received before: use a new id for each"
    } catch {
      return Self.unable
    }
  }

  private func answer(
    _ request: RemoteRequest, _ asker: ReplyAddress, at now: UTCInstant
  ) -> RemoteAnswer? {
    guard let privacy = privacy() else {
      return RemoteAnswer(to: request, refusedBecause: "the privacy settings cannot be applied now")
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
        let status = BoardStatus(try handle(.status)).summary(as: privacy)
        return RemoteAnswer(to: request, [("status", status)])
      case .budget:
        return RemoteAnswer(to: request, [("budget", try handle(.status)["budget"] ?? .null)])
      case .gnss(let order):
        _ = try handle(.gnss(GnssOverride(order)))
        return RemoteAnswer(to: request, [("gnss_order", .string(order.rawValue))])
      case .fix(let limit, let accuracy):
        return try begin(request, asker, limit, accuracy, at: now)
      }
    } catch {
      // Details would disclose names of files, and of other people.
      return RemoteAnswer(to: request, refusedBecause: Self.unable)
    }
  }

  private static let unable =
    "the board cannot answer now: its store or its daemon does not respond"

  // MARK: From the store

  private func position(
    _ privacy: PrivacyFilter, at now: UTCInstant
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    guard let newest = try PresentLocation(history, daemon, at: now),
      let released = newest.released(by: privacy)
    else { return [("position", .null)] }
    return [("position", .point(released)), ("age_s", .rounded(newest.age.value, digits: 0))]
  }

  /// Reports the last position in place of a fix.
  private func noFix(
    _ request: RemoteRequest, because why: String, at now: UTCInstant
  ) -> RemoteAnswer {
    let last = privacy().flatMap { try? position($0, at: now) } ?? []
    return RemoteAnswer(to: request, refusedBecause: why, last)
  }

  private static let switchedOff = "GNSS is switched off by command"

  /// `next` depends on released points only, because the times of withheld ones are private, too.
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
    let listed = points.prefix(most)
    let hasMore = next != nil || points.count > most
    return [
      ("points", .array(listed.map { .point($0) })),
      ("next", Self.next(hasMore, after: listed.last?.location.time)),
    ]
  }

  private func visits(
    _ from: UTCInstant, _ to: UTCInstant?, _ most: Int, _ privacy: PrivacyFilter
  ) throws(PortError) -> [(name: String, value: JSONValue)] {
    // A store of several years has some thousands.
    let found = try history.visits(from: from, to: to, atMost: most * Self.mostPages)
    let visits = found.compactMap { privacy.released($0) as? Visit }
    let listed = visits.prefix(most)
    return [
      ("visits", .array(listed.map { .visit($0) })),
      (
        "next",
        Self.next(visits.count > most, after: listed.last?.departure?.estimate)
      ),
    ]
  }

  /// The maximum number of pages searched for one page that may leave.
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

  private func handle(_ request: ControlRequest) throws(PortError) -> JSONValue {
    guard let daemon else { throw PortError("the daemon is not queried here") }
    let answer = try daemon.query(request.json)
    if let why = answer["error"]?.string { throw PortError(why) }
    return answer
  }

  private func begin(
    _ request: RemoteRequest, _ asker: ReplyAddress, _ limit: Seconds, _ accuracy: Metres?,
    at now: UTCInstant
  ) throws(PortError) -> RemoteAnswer? {
    guard waits.count < Self.mostWaits else {
      return RemoteAnswer(
        to: request, refusedBecause: "other requests wait for a fix already: retry later")
    }
    let before = try handle(.status)
    guard !BoardStatus(before).isSwitchedOff else {
      return noFix(request, because: Self.switchedOff, at: now)
    }
    let date = before["time"]?.string.flatMap { ISO8601.parse($0) }
    _ = try handle(.fix(within: limit, accuracy: accuracy))
    waits.append(
      Wait(
        request: request, replyAddress: asker, requestedAt: date ?? now,
        deadline: clock() + limit + Self.pollPause,
        energy: before["energy"]?["gnss_energy_J"]?.number))
    followPoll()
    return nil
  }

  /// Answers requests whose fix has come, or whose time is over.
  func poll(at now: UTCInstant) -> [(RemoteAnswer, ReplyAddress)] {
    guard let due = nextPoll, due <= clock() else { return [] }
    let status = try? handle(.status)
    var answers: [(RemoteAnswer, ReplyAddress)] = []
    waits.removeAll { wait in
      guard let answer = conclude(wait, status, at: now) else { return false }
      answers.append((answer, wait.replyAddress))
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
      time >= wait.requestedAt, isGoodEnough(fix, wait)
    {
      // For the requester, a fix that may not leave the board does not exist.
      if let shown = BoardStatus(status ?? .null).fix(as: privacy()) {
        return RemoteAnswer(
          to: wait.request, [("fix", shown), ("energy_J", .rounded(price, digits: 3))])
      }
    }
    let isOff = status.map { BoardStatus($0).isSwitchedOff } ?? false
    guard isOff || clock() >= wait.deadline else { return nil }
    let why = isOff ? Self.switchedOff : "no fix within the time limit"
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
