import Ports
import Core
import Testing
import VirtualDevice

@Suite struct VirtualReceiverTests {
  func board(
    _ groundTruth: any GroundTruth = StandingTruth(), seed: UInt64 = 1,
    receiver: VirtualReceiverSettings = .init()
  ) throws -> VirtualBoard {
    let board = VirtualBoard(
      groundTruth: groundTruth, settings: .init(receiver: receiver, coarse: nil, seed: seed))
    try board.receiver.open()
    return board
  }

  @Test("a receiver is silent while it is off, asleep or booting")
  func silentWhileOffAsleepAndBooting() throws {
    let board = try board()
    #expect(board.nextEvent == nil)
    #expect(try board.listen(for: .hours(1)).isEmpty)
    try board.powerSwitch.set(.supply, active: true)
    let first = try #require(board.nextEvent)
    #expect(first - board.clock.now >= 0.5)
    #expect(try !board.listen(for: 10).isEmpty)
    try board.receiver.write(Array("$PMTK161,0*28\r\n".utf8))
    #expect(try board.listen(for: 100).isEmpty)
    #expect(board.receiver.gnssState == .sleeping)
    try board.powerSwitch.set(.supply, active: false)
    #expect(board.nextEvent == nil)
    #expect(board.receiver.gnssState == .off)
  }

  @Test(
    "a restart by PMTK starts a search and reports the start first",
    arguments: [
      ("$PMTK101*32", StartKind.hot), ("$PMTK102*31", .warm), ("$PMTK103*30", .cold),
    ])
  func restartByCommand(command: String, kind: StartKind) throws {
    let board = try board()
    try board.powerSwitch.set(.supply, active: true)
    #expect(try !sentences(board.listen(for: 120)).contains { $0.hasPrefix("$PMTK") })
    #expect(board.receiver.gnssState == .tracking)
    try board.receiver.write(Array("\(command)\r\n".utf8))
    #expect(board.receiver.gnssState == .acquiring && board.receiver.startKind == kind)
    let said = sentences(try board.listen(for: 2))
    #expect(said.prefix(2) == ["$PMTK011,MTKGPS*08", "$PMTK010,001*2E"])
    let first = try #require(said.first { $0.hasPrefix("$GNRMC") })
    #expect(first.contains(",V,"), "the first epoch has no fix")
    #expect(first.hasPrefix("$GNRMC,,") == (kind == .cold), "cold has forgotten the time, too")
    #expect(try !sentences(board.listen(for: 60)).contains { $0.hasPrefix("$PMTK") })
    #expect(board.receiver.gnssState == .tracking)
  }

  @Test("an answer can be read at once, even if the receiver then sleeps") func answers() throws {
    var settings = VirtualReceiverSettings()
    settings.language = .ubx
    let board = try board(receiver: settings)
    try board.powerSwitch.set(.supply, active: true)
    _ = try board.listen(for: 20)
    // UBX-CFG-MSG, which is acknowledged, and UBX-RXM-PMREQ.
    try board.receiver.write([181, 98, 6, 1, 3, 0, 1, 53, 1, 65, 173])
    try board.receiver.write([181, 98, 2, 65, 8, 0, 0, 0, 0, 0, 2, 0, 0, 0, 77, 59])
    #expect(board.nextEvent == board.clock.now)
    board.advance(to: board.clock.now)
    #expect(try board.receiver.read(limit: 100).count == 10)
    #expect(board.nextEvent == nil && board.receiver.gnssState == .sleeping)
  }

  @Test("a closed receiver refuses to be read") func closedReceiverRefusesToBeRead() throws {
    let board = VirtualBoard(groundTruth: StandingTruth())
    #expect(throws: PortError.self) { try board.receiver.read(limit: 10) }
  }

  @Test("a read returns at most the limit and loses nothing")
  func readHandsOutAtMostTheLimitAndLosesNothing() throws {
    let whole = try board()
    try whole.powerSwitch.set(.supply, active: true)
    let expected = try whole.listen(for: 20)
    let pieces = try board()
    try pieces.powerSwitch.set(.supply, active: true)
    pieces.advance(to: .zero + 20)
    var got: [UInt8] = []
    while true {
      let piece = try pieces.receiver.read(limit: 7)
      #expect(piece.count <= 7)
      if piece.isEmpty { break }
      got += piece
    }
    #expect(got == expected)
  }

  @Test("cold starts take as long as the data sheet says")
  func coldStartsTakeAsLongAsTheDataSheetSays() throws {
    let times = try (0..<200).map { seed in
      let board = try board(seed: UInt64(seed))
      let time = try #require(try board.timeToFirstFix())
      #expect(board.receiver.startKind == .cold)
      return time.value
    }
    let median = times.sorted()[100]
    #expect((24...31).contains(median))
    #expect(times.min()! >= 15 && times.max()! <= 60)
    #expect(Set(times).count > 10)
  }

  /// The first session of each run: cold start, then on for `hold`, then off for `pause`.
  func restarts(hold: Seconds, pause: Seconds, backup: Bool = true) throws -> [Double] {
    try (0..<60).map { seed in
      let board = try board(seed: UInt64(seed), receiver: .init(hasBackup: backup))
      _ = try board.timeToFirstFix()
      _ = try board.listen(for: hold)
      try board.powerSwitch.set(.supply, active: false)
      _ = try board.listen(for: pause)
      return try #require(try board.timeToFirstFix()).value
    }.sorted()
  }

  @Test("tracking on after a cold start makes the next start hot")
  func holdAfterColdStartMakesTheNextStartHot() throws {
    let held = try restarts(hold: 35, pause: 600)
    #expect(held[30] <= 3)
    let hasty = try restarts(hold: 3, pause: 600)
    #expect(hasty[45] > 8)
    #expect(hasty.reduce(0, +) > 2 * held.reduce(0, +))
  }

  @Test("ephemeris expires") func ephemerisAges() throws {
    let fresh = try restarts(hold: 60, pause: .minutes(10)).reduce(0, +)
    let older = try restarts(hold: 60, pause: .hours(2)).reduce(0, +)
    let stale = try restarts(hold: 60, pause: .hours(5))
    #expect(older > 2 * fresh)
    #expect(stale.reduce(0, +) > older)
    #expect(stale[0] > 10)
    #expect(try restarts(hold: 60, pause: .days(100))[30] > 23)
  }

  @Test("without a backup supply every start is cold")
  func withoutBackupSupplyEveryStartIsCold() throws {
    #expect(try restarts(hold: 60, pause: 60, backup: false)[30] > 23)
  }

  @Test("a short session does not renew the ephemeris") func timeWasTooShortToRenewTheEphemeris()
    throws
  {
    // Three seconds every ten minutes: hot at first, but the navigation message is never received.
    let board = try board()
    _ = try board.timeToFirstFix()
    _ = try board.listen(for: 60)
    var times: [Double] = []
    for _ in 0..<30 {
      try board.powerSwitch.set(.supply, active: false)
      _ = try board.listen(for: 600)
      times.append(try #require(try board.timeToFirstFix()).value)
      _ = try board.listen(for: 3)
    }
    #expect(times[0..<3].max()! < 4)
    #expect(times.max()! > 6)
  }

  @Test("without signal there is no fix") func noFixWithoutSky() throws {
    let board = try board(StandingTruth(reception: .none))
    #expect(try board.timeToFirstFix(limit: .hours(1)) == nil)
    #expect(board.receiver.gnssState == .acquiring)
  }

  @Test("indoors most searches fail") func indoorsMostSearchesFail() throws {
    let failures = try (0..<50).count { seed in
      try board(StandingTruth(reception: .indoors), seed: UInt64(seed)).timeToFirstFix(limit: 180)
        == nil
    }
    #expect((26...50).contains(failures))
  }

  @Test("the same building always has the same attenuation")
  func theSameBuildingIsAlwaysAsHopelessAsBefore() throws {
    var kinds: Set<Bool> = []
    for seed in 0..<6 {
      let board = try board(StandingTruth(reception: .indoors), seed: UInt64(seed))
      let found = try (0..<3).map { _ in
        defer { try? board.powerSwitch.set(.supply, active: false) }
        return try board.timeToFirstFix(limit: .minutes(25)) != nil
      }
      #expect(Set(found).count == 1)
      kinds.formUnion(found)
    }
    #expect(kinds == [true, false])
  }

  @Test("tracking ends in a cellar") func trackingEndsInACellar() throws {
    let groundTruth = StandingTruth()
    let board = try board(groundTruth)
    _ = try board.timeToFirstFix()
    groundTruth.reception = .none
    _ = try board.listen(for: 60)
    #expect(board.receiver.gnssState == .acquiring)
  }

  @Test("the same seed gives the same bytes") func sameSeedSameBytes() throws {
    func bytes(_ seed: UInt64) throws -> [UInt8] {
      let board = try board(drive(seconds: 200), seed: seed)
      try board.powerSwitch.set(.supply, active: true)
      return try board.listen(for: 180)
    }
    #expect(try bytes(7) == bytes(7))
    #expect(try bytes(7) != bytes(8))
  }
}
