import CarriedBoards
import Messaging
import Core
import PeopleExperiment
import Ports
import Records
import Runtime
import Store
import Testing
import TestSupport
import Tracking

/// Letters from end to end (Landsmann 2013, chapter 4): the stored letter, a daemon on a virtual
/// board, the facts that its command receives, and the letter's final state.
@Suite struct LetterServiceTests {
  private static let start = UTCInstant(seconds: 1_780_300_800)  // Monday 2026-06-01, 08:00
  private static let square = Coordinate(latitude: 52.0907, longitude: 5.1214)
  private let folder: ScratchFolder
  private var path: String { folder.file("letters.gpkg") }
  private let anna: PersonAddress
  private let ben: PersonAddress

  init() throws {
    folder = try ScratchFolder()
    anna = try PersonAddress("anna")
    ben = try PersonAddress("ben")
  }

  private static func at(_ distance: Metres) -> Coordinate {
    Sphere.destination(from: square, bearing: 90, distance: distance)
  }

  private func letter(_ number: UInt8, at distance: Metres) throws -> Letter {
    let id = try #require(UniqueID(bytes: Array(repeating: 0, count: 15) + [number]))
    return try Letter(
      id: id, from: ben, to: .people([anna]),
      at: .circle(try LetterCircle(centre: Self.at(distance), name: "Bakery")),
      written: Self.start, text: "Bring rolls")
  }

  /// Ben is a contact, and the letters have arrived.
  /// - Parameter date: the date on the clock of the receiving board.
  private func prepare(_ letters: [Letter], at date: UTCInstant = start) throws {
    let store = try GeoPackageStore(path: path)
    var contacts = Contacts()
    try contacts.add("Ben", ben)
    for event in [.contacts(contacts)] + letters.map({ MessagingEvent.imported(.letter($0)) }) {
      try store.changeMessages { items in
        var messaging = MessagingState(of: anna, hasBroker: true, restoring: items)
        return messaging.step(event, at: .zero, date: date).change
      }
    }
    try store.close()
  }

  private func board(
    _ points: [Metres], pause: Seconds = 300, seed: UInt64 = 5, interval: Seconds = 30
  ) throws -> CarriedBoard {
    let settings = try peopleSettings()
    return try CarriedBoard(
      Stroll(from: Self.start, points.map { Self.at($0) }, pause: pause), path: path, seed: seed
    ) { devices, tracker in
      devices.people = settings
      devices.hasBroker = true
      tracker.policy = .periodic(PeriodicSettings(interval: interval))
    }
  }

  private func peopleSettings() throws -> PeopleSettings { PeopleSettings(address: anna) }

  private func records() throws -> [LetterRecord] {
    let items = try StoreReader(path: path).messages()
    return MessagingState(of: anna, hasBroker: true, restoring: items).letterRecords
  }

  @Test("a recipient is notified of the letter, gets it, and again after having left")
  func comingBy() throws {
    try prepare([try letter(1, at: 0)])
    let board = try board([-400, 0, 400, 0])
    board.run(for: 120)
    #expect(board.told().isEmpty)
    #expect(try records().map(\.status) == [.waiting])
    board.run(for: .minutes(30))
    #expect(
      board.told() == ["a letter from Ben is near: Bakery", "a letter from Ben is near: Bakery"])
    #expect(board.told("EVENT") == ["letter", "letter"])
    #expect(try records().map(\.status) == [.delivered])
    let pending = MessagingState(
      of: anna, hasBroker: true, restoring: try StoreReader(path: path).messages()
    ).pending
    #expect(pending.count == 1, "the receipt, for Ben")
  }

  @Test("a letter that arrives while the board is there is delivered at once")
  func arrivingWhereTheBoardIs() throws {
    try prepare([])
    let board = try board([0, 10])
    board.run(for: 100)
    let letter = try letter(1, at: 0)
    let mail = PeerMessageDelivery(arrived: [
      .init(
        topic: MessageTopic.topics(of: letter)[0],
        text: String(decoding: PeerMessage.letter(letter).bytes, as: UTF8.self))
    ])
    #expect(board.take(mail) == nil)
    board.run(for: 10)
    #expect(board.told().count == 1)
    #expect(board.take(mail) == nil)
    board.run(for: 100)
    #expect(board.told().count == 1, "it is known")
    #expect(try records().map(\.status) == [.delivered])
  }

  /// As in a file written on a board whose clock had no date.
  private func letterOf1970() throws -> Letter {
    let text = """
      {"type":"letter","version":1,"id":"00000000-0000-0000-0000-000000000070","from":"ben",
      "to":["anna"],"written":"1970-01-01T00:05:00Z","expires":"1970-01-02T00:00:00Z",
      "latitude":52.0907,"longitude":5.1214,"text":"From a board without a clock"}
      """
    let entry = try #require(LetterFileReader.entries(of: text.utf8).first)
    guard case .letter(let letter) = try entry.message.get() else { throw PortError.failed("") }
    return letter
  }

  @Test("no letter expires because of a date in 1970, the author's or this board's")
  func wrongDates() throws {
    let strange = try letterOf1970()
    let brief = try Letter(
      id: try letter(2, at: 0).id, from: ben, to: .people([anna]),
      at: .circle(try LetterCircle(centre: Self.at(400))), written: nil,
      expires: Self.start + .minutes(20), text: "Until twenty past")
    // Imported by the command line before any date was known.
    try prepare([strange, brief], at: UTCInstant(seconds: 40))
    let board = try board([-400, -400, 0], pause: 900)
    for _ in 0..<5 {
      board.run(for: 2)
      try board.restart()
    }
    #expect(try records().map(\.status) == [.waiting, .waiting])
    board.run(for: .minutes(18))
    #expect(try records().map(\.status) == [.waiting, .waiting])
    board.run(for: .minutes(25))
    let records = try records()
    #expect(records.map(\.status) == [.delivered, .expired] && board.told().count == 1)
    #expect(records[0].letter?.expires == nil && records[0].letter?.written == nil)
  }

  @Test("the receiver is on sooner the nearer a letter is; without a letter not at all")
  func search() throws {
    // A board that is located every two hours passes by without a fix there.
    let way: [Metres] = [-1500, 0, 1500]
    let alone = try board(way, pause: 240, interval: .hours(2))
    alone.run(for: .minutes(45))
    #expect(alone.told().isEmpty)
    try prepare([try letter(1, at: 0)])
    let board = try board(way, pause: 240, interval: .hours(2))
    board.run(for: .minutes(45))
    #expect(board.told().count == 1)
    #expect(board.fixes > alone.fixes)
  }

  @Test("a letter 300 m from where the board stays for a day costs few attempts")
  func nearHome() throws {
    try prepare([try letter(1, at: 0)])
    let board = try board([300], interval: .days(2))
    board.run(for: .days(1))
    #expect(board.told().isEmpty)
    #expect(board.sessions <= 24, "\(board.sessions)")
  }

  @Test(
    "after rest near a letter, a walk there is detected within half of the walking time",
    arguments: [1, 2, 4, 10])
  func restedNearby(hours: Double) throws {
    try prepare([try letter(1, at: 0)])
    let board = try board([300, 0], pause: .hours(hours), interval: .days(2))
    board.run(for: .hours(hours) + 220)
    board.run(for: min(.hours(hours) / 2, .hours(3)) + 120)
    #expect(board.told().count == 1)
  }

  @Test("150 kills on the way: each letter is delivered and reported once")
  func kills() throws {
    let stops = (1...8).map { Metres(Double($0) * 250) }
    try prepare(try stops.enumerated().map { try letter(UInt8($0 + 1), at: $1) })
    // A board that stops at each place gets a fix there between two kills.
    let board = try board([0] + stops + [2300], pause: 150, seed: 9)
    var chance = SplitMix(seed: 9)
    for _ in 0..<150 {
      board.run(for: Seconds(.random(in: 1...40, using: &chance)))
      try board.restart()
    }
    #expect(try records().map(\.status) == Array(repeating: .delivered, count: 8))
    let reader = try StoreReader(path: path)
    var rows = try reader.notices()
    let notices = try rows.all()
    #expect(notices.count == 8, "\(notices.map(\.text))")
    #expect(Set(notices.map(\.id)).count == 8)
  }
}
