import Messaging
import Core
import PeopleExperiment
import Ports
import StoreStandIns
import Records
import Testing
import Tracking

@testable import Runtime

/// Letters between a daemon and a store that may fail.
@Suite struct PeopleDriverTests {
  /// Stores the messages of people, and counts the transactions.
  private final class MessageStore: EmptyStore {
    override var name: String { "messages" }
    var items: [StoredMessage] = []
    var notices: [Notice] = []
    var transactions = 0
    var failure: PortError?
    var writingFailure: PortError?
    /// Whether the driver requested all messages.
    var wasAskedForAll = false
    var mark: Int64 = 0

    override func messages() throws(PortError) -> [StoredMessage] {
      if let failure { throw failure }
      return items
    }

    override func changeMessages(
      since known: Int64?, _ change: ([StoredMessage]?) -> MessageChange
    ) throws(PortError) {
      if let failure { throw failure }
      if let writingFailure { throw writingFailure }
      transactions += 1
      if known != mark { wasAskedForAll = true }
      let done = change(known == mark ? nil : items)
      let gone = Set(done.removed + done.stored.map(\.key))
      items = items.filter { !gone.contains($0.key) } + done.stored
      notices += done.notices
    }

    override func editMark() throws(PortError) -> Int64? { mark }
  }

  private static let date = UTCInstant(seconds: 1_780_300_800)
  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private let store = MessageStore()
  private let places: PlaceDriver
  private let driver: PeopleDriver
  private let anna: PersonAddress
  private let ben: PersonAddress

  init() throws {
    anna = try PersonAddress("anna")
    ben = try PersonAddress("ben")
    var devices = Devices(store: store)
    devices.people = PeopleSettings(address: anna)
    devices.hasBroker = true
    let log = LogChannel()
    let writer = StoreWriter(StoreSource(store), commits: CommitSettings(), log: log)
    places = PlaceDriver(writer, devices, log: log)
    driver = try #require(PeopleDriver(writer, places, devices, log: log))
  }

  private func mail(_ number: UInt8) throws -> PeerMessageDelivery {
    let id = try #require(UniqueID(bytes: Array(repeating: 0, count: 15) + [number]))
    let letter = try Letter(
      id: id, from: ben, to: .people([anna]),
      at: .circle(
        try LetterCircle(centre: Coordinate(latitude: 52.0907, longitude: 5.1214))),
      written: Self.date, text: "Hello")
    return PeerMessageDelivery(arrived: [
      .init(
        topic: MessageTopic.topics(of: letter)[0],
        text: String(decoding: PeerMessage.letter(letter).bytes, as: UTF8.self))
    ])
  }

  private func knowBen() throws {
    var contacts = Contacts()
    try contacts.add("Ben", ben)
    try store.changeMessages { items in
      var messaging = MessagingState(of: anna, hasBroker: true, restoring: items)
      return messaging.step(.contacts(contacts), at: .zero, date: nil).change
    }
    store.transactions = 0
  }

  @Test("new messages are stored once, and known ones cost no transaction") func known() throws {
    try knowBen()
    let mail = try mail(1)
    #expect(driver.deliver(mail, at: Self.at(1)).failure == nil)
    #expect(store.transactions == 1 && driver.letters.waiting == 1)
    for second in 2...20 {
      #expect(driver.deliver(mail, at: Self.at(Double(second))).failure == nil)
    }
    #expect(store.transactions == 1)
  }

  @Test("a failing store is reported to the sender, and retried later, not at once")
  func failing() throws {
    try knowBen()
    _ = driver.edited(at: Self.at(1))
    store.failure = .full("no room")
    #expect(driver.deliver(try mail(1), at: Self.at(2)).failure == "no room")
    _ = driver.edited(at: Self.at(3))
    var now = Self.at(4)
    for _ in 0..<20 {
      guard let due = driver.due else { break }
      #expect(due > now, "it does not spin")
      now = due
      _ = driver.serve(at: now, isReady: false)
    }
    #expect(driver.due != nil)
    store.failure = nil
    _ = driver.serve(at: try #require(driver.due), isReady: false)
    #expect(driver.due == nil)
    #expect(driver.deliver(try mail(1), at: now + 100).failure == nil)
    #expect(driver.letters.waiting == 1)
  }

  @Test("new messages are merged with known ones: other due times stay known")
  func remembered() throws {
    try knowBen()
    _ = driver.edited(at: Self.at(1))
    var tracker = Tracker(settings: TrackerSettings())
    _ = tracker.step(
      .started(clock: SystemDate(date: Self.date, read: .zero, isSynchronized: true)),
      at: Self.at(1))
    _ = driver.follow(tracker, at: Self.at(1))
    let group = try Group(
      id: try #require(UniqueID(bytes: Array(repeating: 9, count: 16))), name: "Hike", guide: anna,
      range: 200, pause: 60)
    try store.changeMessages { items in
      var messaging = MessagingState(of: anna, hasBroker: true, restoring: items)
      return messaging.step(.guided(group), at: Self.at(1), date: Self.date).change
    }
    store.mark += 1
    _ = driver.edited(at: Self.at(2))
    // A member is expected to report their position.
    let joining = MembershipChange(.join, .group, group.id, person: ben, at: Self.date)
    let topic = MessageTopic.topic(of: joining, to: anna)
    let text = String(decoding: PeerMessage.attendance(joining).bytes, as: UTF8.self)
    _ = driver.deliver(
      PeerMessageDelivery(arrived: [.init(topic: topic, text: text)]), at: Self.at(2))
    let due = try #require(driver.due)
    store.wasAskedForAll = false
    #expect(driver.deliver(try mail(1), at: Self.at(3)).failure == nil)
    #expect(driver.letters.waiting == 1 && driver.due == due && !store.wasAskedForAll)
    // Another program has written: everything is read again, and nothing is lost.
    store.mark += 1
    #expect(driver.deliver(try mail(2), at: Self.at(4)).failure == nil)
    #expect(driver.letters.waiting == 2 && driver.due != nil && store.wasAskedForAll)
  }

  @Test("simultaneous messages are stored together") func together() throws {
    try knowBen()
    var all = PeerMessageDelivery()
    for number in UInt8(1)...20 { all.arrived += try mail(number).arrived }
    #expect(driver.deliver(all, at: Self.at(1)).failure == nil)
    #expect(store.transactions == 1 && driver.letters.waiting == 20)
  }

  @Test("a store that can be read and not written is retried at growing intervals") func readOnly()
    throws
  {
    try knowBen()
    _ = driver.edited(at: Self.at(1))
    store.writingFailure = .full("no room")
    #expect(driver.deliver(try mail(1), at: Self.at(2)).failure == "no room")
    #expect(driver.letters.waiting == 0)
    store.writingFailure = nil
    #expect(driver.deliver(try mail(1), at: Self.at(3)).failure == nil)
    #expect(driver.letters.waiting == 1)
  }

  @Test("changes by the command line are read") func edited() throws {
    _ = driver.edited(at: Self.at(1))
    try knowBen()
    store.mark += 1
    _ = driver.edited(at: Self.at(2))
    _ = driver.deliver(try mail(1), at: Self.at(3))
    #expect(driver.letters.waiting == 1, "Ben is known by now")
  }
}
