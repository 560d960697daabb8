import Delivery
import Transports
import Store
import Platform
import Core
import Records
import Runtime
import TestSupport
import Testing

@testable import Uplink

/// A real store, a real outbox, libcurl, and receivers that follow their protocols exactly.
@Suite struct WebRunTests {
  private let folder: ScratchFolder
  private let receivers: WebReceivers
  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let board = UplinkBoard("bike", of: "ann", version: "1")

  init() throws {
    folder = try ScratchFolder()
    receivers = try WebReceivers()
  }

  private func record(_ count: Int) throws {
    let store = try GeoPackageStore(
      path: folder.file("track.gpkg"), mark: 1, keepsChangeLog: true)
    try store.write(
      (1...count).map { number in
        .trackPoint(
          TrackPoint(
            location: Location(
              time: Self.start + Seconds(Double(number)),
              position: Coordinate(latitude: 52.0907, longitude: 5.1214), accuracy: 4.4, speed: 5,
              track: 90, altitude: nil, source: .gnss), reason: .scheduled))
      })
  }

  private func outbox() throws -> OutboxFile { try OutboxFile(path: folder.file("uplink.db")) }

  private func plan(
    _ recipient: Recipient, _ path: String, _ credentials: UploadCredentials? = nil
  ) throws -> WebPlan {
    WebPlan(
      WebSettings(recipient),
      at: try WebAddress(parsing: "http://127.0.0.1:\(receivers.port)/\(path)"),
      credentials, Self.board.topics)
  }

  private static let settings = """
    [uplink.owntracks_http]
    url = "http://127.0.0.1/"
    [uplink.osmand]
    url = "http://127.0.0.1/"
    device_id = "bike-7"
    [uplink.overland]
    url = "http://127.0.0.1/"
    """

  private func run(
    _ plans: WebPlan..., respectsBackOff: Bool = false, settings: String = Self.settings
  ) throws -> UplinkRun.Ending {
    let parts = UplinkRun.Parts(
      store: try StoreReader(path: folder.file("track.gpkg")), outbox: try outbox(),
      web: plans.map { ($0, WebUploader(HTTPOptions(userAgent: "test"))) })
    return try UplinkRun(
      parts, try UplinkSettingsText.read(settings), Self.board,
      UplinkRun.Options(respectsBackOff: respectsBackOff)
    ) { _ in }.run()
  }

  @Test("records reach every receiver once, in its own units") func all() throws {
    try record(3)
    let plans = try (
      plan(.owntracksHTTP, "pub", .basic(user: "ann", password: Secret("secret"))),
      plan(.osmand, "osmand"),
      plan(.overland, "overland", .queryKey(name: "api_key", Secret("key")))
    )
    #expect(try run(plans.0, plans.1, plans.2) == UplinkRun.Ending())
    let taken = try receivers.taken
    // 5 m/s are 18 km/h and 9.72 knots.
    #expect(
      taken.filter { $0.hasPrefix("pub") }
        == (1...3).map { "pub location \(1_777_593_600 + $0) 18" })
    #expect(
      taken.filter { $0.hasPrefix("osmand") }
        == (1...3).map { "osmand \(1_777_593_600 + $0) 9.72" })
    #expect(
      taken.filter { $0.hasPrefix("overland") }
        == (1...3).map { "overland 2026-05-01T00:00:0\($0)Z 52.0907" })
    #expect(try outbox().summaries().map(\.waiting) == [0, 0, 0])
    #expect(try run(plans.0, plans.1, plans.2) == UplinkRun.Ending())
    #expect(try receivers.taken.count == 9, "nothing twice")
    #expect(try outbox().exchanges(atMost: 10).map(\.messages) == [3, 3, 3])
  }

  @Test("wrong keys, a portal, a busy server: all waits, each is reported, none blocks another")
  func refusals() throws {
    try record(2)
    let ending = try run(
      plan(.owntracksHTTP, "portal"), plan(.osmand, "later"), plan(.overland, "overland"))
    #expect(ending.failures[.web(.owntracksHTTP)]?.contains("sign-in") == true, "\(ending)")
    #expect(ending.failures[.web(.osmand)]?.contains("503") == true)
    #expect(ending.failures[.web(.overland)]?.contains("401") == true)
    #expect(try outbox().summaries().map(\.waiting) == [2, 2, 2])
    let hold = try #require(try outbox().backoffs()[.web(.osmand)])
    let pause = hold.remaining(at: BootClock.systemDate)
    #expect((2900...3000).contains(pause.value), "as the server has asked")
    #expect(try run(try plan(.osmand, "later"), respectsBackOff: true) == UplinkRun.Ending())
    #expect(try receivers.taken.isEmpty)
  }

  @Test("a command with a server's answer is answered there, but not for ever")
  func commanded() throws {
    for (requests, answers) in [("none", 0), ("read", 4)] {
      try record(answers + 3)
      let reader = try StoreReader(path: folder.file("track.gpkg"))
      var parts = UplinkRun.Parts(
        store: reader, outbox: try outbox(),
        web: [(try plan(.owntracksHTTP, "asking"), WebUploader(HTTPOptions(userAgent: "test")))])
      parts.history = reader
      let settings = """
        [uplink]
        requests = "\(requests)"
        [uplink.owntracks_http]
        url = "http://127.0.0.1/"
        """
      let ending = try UplinkRun(
        parts, try UplinkSettingsText.read(settings), Self.board, UplinkRun.Options()
      ) { _ in }.run()
      #expect(ending == UplinkRun.Ending())
      let taken = try receivers.taken
      #expect(taken.count { $0 == "asking r" } == answers, "\(requests): \(taken)")
    }
    #expect(try outbox().summaries().map(\.waiting) == [0])
  }

  @Test("records that a receiver fails at wait, and block nothing") func broken() throws {
    try record(8)
    let settings = """
      [uplink.osmand]
      url = "http://127.0.0.1/"
      """
    #expect(try run(try plan(.osmand, "broken"), settings: settings) == UplinkRun.Ending())
    let others = (1...8).map { 1_777_593_600 + $0 }.filter { $0 % 3 != 0 }
    #expect(try receivers.taken == others.map { "broken \($0)" })
    #expect(try outbox().summaries().map(\.waiting) == [8 - others.count])
  }
}
