import Messaging
import Core
import Records
import TestSupport
import VirtualDevice

/// Some people of one town, each with a whole board, around a broker that loses messages and is not
/// always reachable, with boards that are killed: which letters were delivered, who was reported as
/// behind on a walk with a guide, and how many fixes that took.
public struct PeopleTrial {
  public enum Exchange: String, CaseIterable, Sendable {
    case nothing
    case letters
    /// And a walk with a guide on Saturday and on Sunday.
    case walks = "letters and walks"
  }

  private static let step = Seconds(15)
  private static let loss = 0.05
  /// The share of uplink connections that fail, and how often per hour a board is killed.
  private static let (failures, kills) = (0.1, 0.2)
  private static let (range, pause) = (Metres(200), Seconds(60))
  /// 2026-06-01.
  private static let monday = UTCInstant(seconds: 1_780_272_000)

  public private(set) var letters = LetterScore()
  public private(set) var walks = GroupScore(range: range)
  public private(set) var fixes = 0
  public private(set) var restarts = 0
  public let people: Int
  public let days: Int

  private let exchange: Exchange
  /// The weekday of the first day.
  private let weekday: Int
  private let life: CompanyLife
  private var company: [PersonOnTheWay] = []
  private var post: BrokerPost
  private var chance: SplitMix
  /// The letters of this day: author, recipient, place and time.
  private var plans: [(at: UTCInstant, from: Int, to: Int, place: PlannedPlace)] = []
  private var planned = -1
  private var group: UniqueID?
  private var heard = Journal()

  /// The journal events of all boards since the last step.
  private final class Journal {
    var events: [(board: PersonAddress, word: String, text: String)] = []
  }

  /// - Parameters:
  ///   - weekday: the weekday of the first day, 0 for Monday.
  ///   - folder: for the boards' stores.
  public init(
    _ exchange: Exchange, people: Int, days: Int, from weekday: Int = 0, seed: UInt64,
    in folder: ScratchFolder
  ) throws {
    self.weekday = weekday
    self.exchange = exchange
    self.people = people
    self.days = days
    life = CompanyLife(people: people, seed: seed)
    post = BrokerPost(losing: Self.loss, seed: seed &+ 1)
    chance = SplitMix(seed: seed &+ 2)
    for (number, itinerary) in life.itineraries.enumerated() {
      let address = try PersonAddress("p\(number + 1)")
      let truth = PlannedTruth(
        itinerary, from: Self.monday + .days(Double(weekday)), days: days,
        seed: seed &+ UInt64(number))
      company.append(
        try PersonOnTheWay(
          address, truth, path: folder.file("\(exchange)-\(seed)-\(address).gpkg"),
          seed: seed &+ UInt64(number)))
    }
    for one in company {
      one.board.onLog = { [heard] event in
        heard.events.append((one.address, event.kind, event.reason))
      }
    }
    try live()
    fixes = company.reduce(0) { $0 + $1.board.fixes }
    letters.finish()
  }

  // MARK: What happens

  private mutating func live() throws {
    try meet()
    for number in 1..<Int(Seconds.days(Double(days)) / Self.step) {
      let time = start + Self.step * Double(number)
      for one in company { one.live(until: time, for: Self.step) }
      try write(at: time)
      try walk(at: time)
      for one in company { try serve(one, at: time) }
      listen(at: time)
      for one in company where chance(Self.kills * Self.step.value / 3600) {
        try one.board.restart()
        restarts += 1
      }
    }
  }

  private var start: UTCInstant { Self.monday + .days(Double(weekday)) }
  private func day(of time: UTCInstant) -> Int { Int((time - start) / .days(1)) }

  private mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &chance) < share
  }

  /// Adds everybody to everybody's contacts.
  private func meet() throws {
    var contacts = Contacts()
    for one in company { try contacts.add("\(one.address)", one.address) }
    for one in company { try does(.contacts(contacts), one) }
  }

  private func does(_ event: MessagingEvent, _ one: PersonOnTheWay) throws {
    for refusal in try one.board.does(event, as: one.address) {
      throw TrialFailure("\(refusal)")
    }
  }

  /// Each person leaves a letter a day for another, at a place that both visit now and then.
  private mutating func write(at time: UTCInstant) throws {
    guard exchange != .nothing else { return }
    let day = day(of: time)
    if day != planned {
      planned = day
      plans = company.indices.map { from in
        let to = (from + Int.random(in: 1..<people, using: &chance)) % people
        let place = life.commonPlaces.randomElement(using: &chance) ?? life.commonPlaces[0]
        let hours = Double.random(in: 6..<20, using: &chance)
        return (start + .days(Double(day)) + .hours(hours), from, to, place)
      }
    }
    for plan in plans where plan.at <= time {
      let (from, to) = (company[plan.from], company[plan.to])
      let letter = try Letter(
        id: UniqueID.made(using: &chance), from: from.address, to: .people([to.address]),
        at: .circle(try LetterCircle(centre: plan.place.position, name: plan.place.name)),
        written: time, text: "See the \(plan.place.name)")
      try does(.wrote(letter), from)
      letters.wrote(letter, to: to.address, at: plan.place.position)
    }
    plans.removeAll { $0.at <= time }
  }

  /// The guide makes a group at the square, which ends when they are back.
  private mutating func walk(at time: UTCInstant) throws {
    guard exchange == .walks else { return }
    let day = day(of: time)
    let midnight = start + .days(Double(day))
    guard (weekday + day) % 7 >= 5, time - midnight >= CompanyLife.walk.gathers else { return }
    let ends = midnight + CompanyLife.walk.ends
    guard time < ends else {
      if group != nil { walks.finish(boards: company.map(\.address)) }
      return group = nil
    }
    guard group != nil else {
      let id = UniqueID.made(using: &chance)
      group = id
      let others = company.dropFirst().map(\.address)
      return try does(
        .guided(
          try Group(
            id: id, name: "Walk", guide: company[0].address, range: Self.range,
            allowed: .people(others), ends: ends, pause: Self.pause)), company[0])
    }
    let (guide, boards) = (company[0], company.map(\.address))
    for one in company.dropFirst() where one.isInGroup {
      walks.moved(one.address, one.distance(to: guide.position), boards: boards, at: time)
    }
  }

  /// The uplink's connection, if one is due, and its results.
  private mutating func serve(_ one: PersonOnTheWay, at time: UTCInstant) throws {
    letters.passed(one.address, from: one.distance, at: time)
    let fails = chance(Self.failures)
    guard let messaging = try one.visit(&post, at: time, fails: fails) else { return }
    letters.known(messaging.letterRecords, to: one.address, from: one.distance, at: time)
    guard let group, !one.isInGroup, messaging.groupStates.contains(where: { $0.group.id == group })
    else { return }
    try does(.joined(group), one)
  }

  /// Handles the boards' journal events since the last step.
  private mutating func listen(at time: UTCInstant) {
    for (board, word, text) in heard.events {
      switch word {
      case "letter-delivered":
        letters.told += 1
        guard let one = company.first(where: { $0.address == board }),
          let messaging = try? one.messaging
        else { continue }
        letters.known(messaging.letterRecords, to: board, from: one.distance, at: time)
      case "letter-receipt": letters.receipts += 1
      case "group" where text.contains("out of range"):
        let named = company.first { text.contains(": \($0.address) is out") }?.address
        let isOwner = text.contains(": you are out")
        if let person = isOwner ? board : named { walks.told(board, of: person, at: time) }
      case "group" where text.contains("no position from"): walks.unheard += 1
      default: break
      }
    }
    heard.events = []
  }

  // MARK: Several trials

  /// Adds the counts of another trial.
  public mutating func add(_ other: PeopleTrial) {
    letters.add(other.letters)
    walks.add(other.walks)
    fixes += other.fixes
    restarts += other.restarts
  }
}
