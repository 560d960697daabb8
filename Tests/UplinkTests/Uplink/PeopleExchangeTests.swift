import BrokerStandIns
import Messaging
import Delivery
import Foundation
import Core
import Transports
import Store
import Platform
import Ports
import ReceiverStandIns
import Records
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Uplink

/// Boards of several people on the mosquitto that Debian ships, with the access list of
/// docs/manual/letters-groups-meetings.md: letters, groups and meetings between stores, over
/// real connections.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct PeopleExchangeTests {
  private static let square = Coordinate(latitude: 52.0907, longitude: 5.1214)
  private let folder: ScratchFolder
  private let mosquitto: MosquittoProcess

  init() throws {
    folder = try ScratchFolder()
    try folder.write(Self.accessList, to: "acl")
    mosquitto = try #require(
      try MosquittoProcess(
        ["allow_anonymous true", "acl_file \(folder.file("acl"))"], in: folder))
  }

  /// Each person may write in their own name only.
  private static let accessList =
    MessageTopic.accessList.joined(separator: "\n") + "\n"

  // MARK: Boards

  /// What a board's daemon does with the uplink's deliveries, on the board's store: now and then it
  /// is killed before the transaction, or after it and before its answer, but never in two
  /// consecutive deliveries.
  private final class KilledDaemon: DaemonPort {
    let me: PersonAddress
    private let store: GeoPackageStore
    private var chance: SplitMix
    private let odds: Double
    private var wasKilled = false
    var here: Location
    private(set) var news: [MessagingNotification] = []
    private(set) var longestRequest = 0

    init(_ me: PersonAddress, _ store: GeoPackageStore, odds: Double, seed: UInt64) {
      self.me = me
      self.store = store
      self.odds = odds
      chance = SplitMix(seed: seed)
      here = Location(
        time: BootClock.systemDate, position: PeopleExchangeTests.square, accuracy: 5)
    }

    func query(_ request: JSONValue) throws(PortError) -> JSONValue {
      guard let mail = PeerMessageDelivery(request) else { return .object([]) }
      longestRequest = max(longestRequest, request.text.utf8.count)
      let isSpared = wasKilled
      wasKilled = false
      for event in mail.events {
        if !isSpared { try die() }
        step(event)
        if !isSpared { try die() }
      }
      return .object([])
    }

    private func die() throws(PortError) {
      guard Double.random(in: 0..<1, using: &chance) < odds else { return }
      wasKilled = true
      throw PortError("it was killed")
    }

    /// As in `PeopleDriver`.
    @discardableResult
    func step(_ event: MessagingEvent) -> MessagingResult? {
      var turn: MessagingResult?
      for event in [event, .located(here)] {
        try? store.changeMessages { items in
          var messaging = MessagingState(of: me, hasBroker: true, restoring: items, at: here)
          let step = messaging.step(event, at: .zero, date: BootClock.systemDate)
          news += step.notifications
          if event != .located(here) { turn = step }
          return step.change
        }
      }
      return turn
    }

    var messaging: MessagingState {
      get throws { MessagingState(of: me, hasBroker: true, restoring: try store.messages()) }
    }

    var delivered: [Letter] {
      news.compactMap { if case .delivered(let letter) = $0 { letter } else { nil } }
    }
  }

  private func board(
    _ name: String, knows others: [String], odds: Double = 0, at position: Coordinate = square
  ) throws -> KilledDaemon {
    let me = try PersonAddress(name)
    let store = try GeoPackageStore(
      path: folder.file("\(name).gpkg"), durability: .onceInAWhile, mark: 1, keepsChangeLog: true)
    try store.write([
      .trackPoint(
        TrackPoint(
          location: Location(time: BootClock.systemDate, position: position, accuracy: 5),
          reason: .scheduled))
    ])
    let seed = name.utf8.reduce(0) { $0 + UInt64($1) }
    let daemon = KilledDaemon(me, store, odds: odds, seed: seed)
    daemon.here.position = position
    var contacts = Contacts()
    for other in others { try contacts.add(other.uppercased(), try PersonAddress(other)) }
    daemon.step(.contacts(contacts))
    return daemon
  }

  /// The boards' uplinks connect to the broker, all at once.
  private func visit(_ daemons: [KilledDaemon]) throws {
    let failures = Mutex<[any Error]>([])
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) let bench = self
    for daemon in daemons {
      nonisolated(unsafe) let daemon = daemon
      Thread {
        do { try bench.visit(daemon) } catch { failures.withLock { $0.append(error) } }
        done.signal()
      }.start()
    }
    for _ in daemons { done.wait() }
    mosquitto.readLog()
    #expect(failures.withLock { $0.isEmpty }, "\(failures.withLock { $0 })")
  }

  private func visit(_ daemon: KilledDaemon, port: UInt16? = nil) throws {
    let settings = try UplinkSettingsText.read(
      """
      [uplink.mqtt]
      brokers = ["mqtt://localhost:\(port ?? mosquitto.port)"]
      owntracks = false
      people = true
      """)
    let reader = try StoreReader(path: folder.file("\(daemon.me).gpkg"))
    var parts = UplinkRun.Parts(
      store: reader, outbox: try OutboxFile(path: folder.file("\(daemon.me).db")),
      broker: (
        MosquittoBroker(),
        BrokerLogin(clientID: "godwit-\(daemon.me)", user: "\(daemon.me)")
      ))
    parts.daemon = daemon
    parts.history = reader
    parts.person = daemon.me
    let run = try UplinkRun(
      parts, settings, UplinkBoard("\(daemon.me)", of: "\(daemon.me)", version: "1"),
      UplinkRun.Options()
    ) { _ in }
    _ = try run.run()
  }

  private func letter(
    _ number: UInt8, from sender: KilledDaemon, to addressees: Addressees, at distance: Metres = 0
  ) throws -> Letter {
    let id = try #require(UniqueID(bytes: Array(repeating: 0, count: 15) + [number]))
    let centre = Sphere.destination(from: Self.square, bearing: 0, distance: distance)
    return try Letter(
      id: id, from: sender.me, to: addressees,
      at: .circle(try LetterCircle(centre: centre, name: "Bakery")),
      written: BootClock.systemDate, text: "Bring rolls")
  }

  // MARK: What people do

  @Test("a letter goes from one board to another, is delivered there, and its author is notified")
  func letter() throws {
    let (anna, ben) = (try board("anna", knows: ["ben"]), try board("ben", knows: ["anna"]))
    let letter = try letter(1, from: ben, to: .people([anna.me]))
    ben.step(.wrote(letter))
    for daemon in [ben, anna, ben] { try visit(daemon) }
    #expect(anna.delivered == [letter])
    let receipts = ben.news.compactMap { if case .receipt(let one) = $0 { one } else { nil } }
    #expect(receipts.map(\.outcome) == [.delivered])
    // Delivered messages are removed, so that the broker does not fill up.
    try visit(ben)
    #expect(try ben.messaging.pending.isEmpty && ben.messaging.outgoing.allSatisfy(\.isOver))
  }

  @Test("a letter lost by a broker is published again, and delivered once")
  func lostBroker() throws {
    let (anna, ben) = (try board("anna", knows: ["ben"]), try board("ben", knows: ["anna"]))
    let letter = try letter(1, from: ben, to: .people([anna.me]))
    ben.step(.wrote(letter))
    try visit(ben)
    #expect(try ben.messaging.pending.isEmpty)
    let emptied = try #require(
      try MosquittoProcess(
        ["allow_anonymous true", "acl_file \(folder.file("acl"))"], in: try ScratchFolder()))
    for daemon in [ben, anna, ben, anna] { try visit(daemon, port: emptied.port) }
    #expect(anna.delivered == [letter])
    #expect(try ben.messaging.pending.isEmpty && ben.messaging.outgoing.allSatisfy(\.isDelivered))
  }

  @Test("an unknown person's hostile or countless messages block no letters") func hostile()
    throws
  {
    let (anna, ben) = (try board("anna", knows: ["ben"]), try board("ben", knows: ["anna"]))
    let talk = BrokerTalk(MosquittoBroker())
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://localhost:\(mosquitto.port)"),
      as: BrokerLogin(clientID: "eve", user: "eve"))
    try #require(talk.welcome() != nil)
    let payloads = [
      UInt8(1), UInt8(ascii: "\""), UInt8(ascii: "\\"),
    ].map { Array(repeating: $0, count: 65_000) }
    for number in 1...600 as ClosedRange<Int64> {
      _ = talk.port.publish(
        BrokerMessage(
          topic: "godwit-letters/anna/eve/\(number)",
          payload: number <= 3 ? payloads[Int(number) - 1] : Array("x".utf8), isRetained: true),
        number: number)
      // It is retained, though there is no subscriber.
      try #require(talk.reason(of: number) != nil)
    }
    let letter = try letter(1, from: ben, to: .people([anna.me]))
    ben.step(.wrote(letter))
    for daemon in [ben, anna] { try visit(daemon) }
    #expect(anna.delivered == [letter])
    #expect(anna.longestRequest < 212_000, "what a socket takes at once")
  }

  @Test("writing in another's name is refused by the broker")
  func spoofed() throws {
    let (anna, eve) = (try board("anna", knows: ["ben"]), try board("eve", knows: ["anna"]))
    let ben = try PersonAddress("ben")
    let forged = try Letter(
      id: try #require(UniqueID(bytes: Array(repeating: 7, count: 16))), from: ben,
      to: .people([anna.me]), at: .circle(try LetterCircle(centre: Self.square)), written: nil,
      text: "Give me the key")
    let talk = BrokerTalk(MosquittoBroker())
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://localhost:\(mosquitto.port)"),
      as: BrokerLogin(clientID: "eve", user: "eve"))
    try #require(talk.welcome() != nil)
    _ = talk.port.publish(
      BrokerMessage(
        topic: MessageTopic.topics(of: forged)[0],
        payload: PeerMessage.letter(forged).bytes, isRetained: true), number: 1)
    #expect(talk.reason(of: 1)?.isSuccess == false)
    try visit([eve, anna])
    #expect(anna.delivered.isEmpty && anna.news.isEmpty)
    #expect(try anna.messaging.letterRecords.isEmpty)
  }

  @Test("a group: a member joins over the broker, falls behind, and each board reports it once")
  func group() throws {
    let (guide, member) = (try board("gil", knows: ["mia"]), try board("mia", knows: ["gil"]))
    let id = try #require(UniqueID(bytes: Array(repeating: 3, count: 16)))
    guide.step(
      .guided(try Group(id: id, name: "Hike", guide: guide.me, range: 200, pause: 10)))
    for daemon in [guide, member] { try visit(daemon) }
    #expect(try member.messaging.groupStates.map(\.group.name) == ["Hike"])
    #expect(member.step(.joined(id))?.refusals.isEmpty == true)
    for daemon in [member, guide, member] { try visit(daemon) }
    #expect(try guide.messaging.groupStates[0].members.map(\.person) == [member.me])
    // 1 km behind, with the accuracy of a fix.
    member.here.position = Sphere.destination(from: Self.square, bearing: 180, distance: 1000)
    for second in [20.0, 40, 60] {
      for daemon in [guide, member] {
        daemon.here.time = BootClock.systemDate + Seconds(second) - 60
        daemon.step(.timePassed)
      }
      try visit([guide, member])
    }
    for daemon in [guide, member] {
      let alerts = daemon.news.filter {
        if case .group(_, .fellBehind(member.me, _)) = $0 { true } else { false }
      }
      #expect(alerts.count == 1, "\(daemon.me): \(daemon.news)")
    }
  }

  @Test("three boards whose daemons are killed: every letter is delivered once")
  func kills() throws {
    let names = ["anna", "ben", "cara"]
    let boards = try names.map { name in
      try board(name, knows: names.filter { $0 != name }, odds: 0.05)
    }
    var sent: [PersonAddress: Set<Letter>] = [:]
    for number in UInt8(1)...12 {
      let sender = boards[Int(number) % 3]
      let others = boards.filter { $0.me != sender.me }.map(\.me)
      let addressees = number % 2 == 0 ? others : [others[Int(number) % 2]]
      let letter = try letter(number, from: sender, to: .people(addressees))
      sender.step(.wrote(letter))
      for person in addressees { sent[person, default: []].insert(letter) }
    }
    for _ in 0..<15 {
      try visit(boards)
      let isDone = try boards.allSatisfy {
        try $0.messaging.outgoing.allSatisfy(\.isOver) && $0.messaging.pending.isEmpty
      }
      if isDone { break }
    }
    for board in boards {
      #expect(board.delivered.count == sent[board.me]?.count, "each once")
      #expect(Set(board.delivered) == sent[board.me])
      #expect(try board.messaging.outgoing.allSatisfy(\.isOver), "it lies nowhere any more")
      #expect(try board.messaging.pending.isEmpty)
    }
  }
}
