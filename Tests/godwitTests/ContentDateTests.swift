import RadioSignals
import CarriedBoards
import Records
import Core
import Formats
import Places
import Store
import TestSupport
import Testing
import Tracking
import VirtualDevice

/// The contents that a whole board shows at a place with two talks, one of which is over, and an
/// offer, depending on its knowledge of the date.
@Suite struct ContentDateTests {
  private static let start = UTCInstant(seconds: 1_780_300_800)  // Monday 2026-06-01, 08:00
  private static let square = Coordinate(latitude: 52.0907, longitude: 5.1214)
  private let folder: ScratchFolder
  private var path: String { folder.file("contents.gpkg") }

  init() throws { folder = try ScratchFolder() }

  private static let (over, tonight, offer) = (
    talk("Over", from: start - .days(3)), talk("Tonight", from: start + .hours(9)),
    PlaceContent(mediaType: "text/plain", text: "Offer")
  )

  /// A place with an alert on arrival.
  private func prepare(_ contents: [PlaceContent]) throws {
    let store = try GeoPackageStore(path: path)
    var chance = SplitMix(seed: 9)
    var details = PlaceDetails(
      name: "Hall", location: .fixed(Self.square), perimeter: .circle(radius: 30),
      owner: PlaceFileDefaults.ofStore.owner)
    details.beacons = [try BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1")]
    details.contents = contents
    try PlaceEditor(store).put([
      PlaceRow(try Place(id: PlaceID.made(using: &chance), details))
    ])
    var alert = StoredAlert(id: 0)
    alert.name = "Hall"
    alert.kind = AlertKind.enter.rawValue
    _ = try AlertEditor(store).add(alert)
    var interests = InterestScores()
    try interests.setScore(10, of: "talk")
    try store.write([.interests(interests.text)])
    try store.close()
  }

  private static func talk(_ title: String, from start: UTCInstant) -> PlaceContent {
    var talk = PlaceContent(mediaType: "text/plain", text: title)
    talk.title = title
    talk.type = "talk"
    talk.happening = ContentItem.Happening(from: start, until: start + .hours(2))
    return talk
  }

  /// Walks there from 300 m away.
  /// - Returns: the contents shown, and the facts that the alert's command receives.
  private func shown(
    _ contents: [PlaceContent] = [over, tonight, offer], clock: SystemDate?, hasReceiver: Bool
  ) throws -> (titles: [String], told: [String]) {
    try prepare(contents)
    let frame = BeaconFrame(
      try #require(
        UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0").map {
          .iBeacon(uuid: $0, major: 1, minor: 1)
        }), strengthAtOneMetre: -59)
    let from = Sphere.destination(from: Self.square, bearing: 90, distance: 300)
    let board = try CarriedBoard(
      Stroll(from: Self.start, [from, Self.square], pause: 60), path: path,
      beacons: VirtualBeaconSettings(
        BeaconWorld([.init("Hall", frame, at: Self.square, isIndoors: false)], seed: 3),
        keepsWatch: true, leastStrength: -90),
      clock: clock
    ) { devices, settings in
      devices.beacons.occasion = .always
      guard !hasReceiver else { return }
      devices.receiver = nil
      settings.hasReceiver = false
    }
    board.run(for: 900)
    #expect(board.storeFailure == nil)
    var actions = try StoreReader(path: path).contentActions()
    return (try actions.all().map(\.title), board.told("CONTENT_TEXT"))
  }

  private static func clock(_ date: UTCInstant, isSynchronized: Bool) -> SystemDate {
    SystemDate(date: date, read: .zero, isSynchronized: isSynchronized)
  }

  @Test("with the receiver's date the future talk is shown") func receiver() throws {
    let shown = try shown(clock: nil, hasReceiver: true)
    #expect(shown.titles == ["Tonight"] && shown.told == ["Tonight"])
  }

  @Test("the same with a synchronized system clock") func synchronized() throws {
    let clock = Self.clock(Self.start, isSynchronized: true)
    let shown = try shown(clock: clock, hasReceiver: false)
    #expect(shown.titles == ["Tonight"])
  }

  @Test("a board booted in 1970 that receives only the beacon shows contents without times")
  func booted1970() throws {
    let clock = Self.clock(UTCInstant(seconds: 40), isSynchronized: false)
    let shown = try shown(clock: clock, hasReceiver: false)
    #expect(shown.titles == ["Offer"])
  }

  @Test("so does one with an unsynchronized clock") func unset() throws {
    let clock = Self.clock(Self.start - .days(30), isSynchronized: false)
    let shown = try shown(clock: clock, hasReceiver: false)
    #expect(shown.titles == ["Offer"])
  }

  @Test("a board without any date waits with everything until it has one") func noDate() throws {
    let shown = try shown(clock: nil, hasReceiver: false)
    #expect(shown.titles.isEmpty && shown.told.isEmpty)
  }

  @Test("when all is over nothing is shown, and the command gets nothing")
  func allOver() throws {
    let shown = try shown([Self.over], clock: nil, hasReceiver: true)
    #expect(shown.titles.isEmpty && shown.told == ["-"])
  }
}
