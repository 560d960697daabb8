import CarriedBoards
import Formats
import Places
import Core
import Records
import Store
import Testing
import TestSupport
import Tracking
import VirtualDevice

/// A life whose daemon is killed repeatedly: events at places are stored all the same.
@Suite struct PlaceKillTests {
  private let folder: ScratchFolder
  private static let start = UTCInstant(seconds: 1_777_852_800)  // Monday 2026-05-04

  init() throws { folder = try ScratchFolder() }

  private static func prepare(_ path: String, _ stays: [PlannedStay]) throws -> [String: String] {
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    var names: [String: String] = [:]
    var chance = SplitMix(seed: 7)
    for stay in stays where names[stay.place.name] == nil {
      var details = PlaceDetails(
        name: stay.place.name, location: .fixed(stay.place.position),
        perimeter: .circle(radius: 120),
        owner: "ada")
      details.contents = (1...3).map { PlaceContent(mediaType: "text/plain", text: "\($0)") }
      let place = try Place(id: PlaceID.made(using: &chance), details)
      names[stay.place.name] = place.id.description
      try PlaceEditor(store).put([PlaceRow(place)])
    }
    for kind in [AlertKind.enter, .leave] {
      var alert = StoredAlert(id: 0)
      alert.name = kind.rawValue
      alert.kind = kind.rawValue
      alert.resendPause = 0
      _ = try AlertEditor(store).add(alert)
    }
    try store.close()
    return names
  }

  @Test(
    "300 kills: every crossing, notice and choice once, in turns", arguments: [1, 2] as [UInt64])
  func kills(seed: UInt64) throws {
    let truth = PlannedTruth(DayPlan.townDweller, from: Self.start, days: 5, seed: seed)
    let path = folder.file("kills.gpkg")
    let names = try Self.prepare(path, truth.stays)
    let board = try CarriedBoard(truth, path: path, seed: seed) { devices, tracker in
      devices.noticeCommand = nil
      tracker.policy = .periodic(PeriodicSettings(interval: 60))
    }
    var chance = SplitMix(seed: seed)
    for _ in 0..<150 {
      // At an arbitrary point of its work.
      board.run(for: Seconds(.random(in: 5...4800, using: &chance)))
      #expect(board.storeFailure == nil)
      try board.restart()
    }
    let reader = try StoreReader(path: path)
    var crossingRows = try reader.crossings()
    let crossings = try crossingRows.all()
    var noticeRows = try reader.notices()
    let notices = try noticeRows.all()
    #expect(Set(crossings.map(\.id)).count == crossings.count)
    #expect(crossings.count > 10, "\(crossings.count) crossings")
    for (name, uuid) in names {
      let own = crossings.filter { $0.placeUUID == uuid }
      for (before, after) in zip(own, own.dropFirst()) {
        #expect((before.change == .left) != (after.change == .left), "\(name): \(before) \(after)")
      }
    }
    let told = notices.compactMap(\.crossing)
    #expect(Set(told).count == told.count, "nothing is told twice")
    let raised = crossings.filter { $0.change != .found }.map(\.id)
    #expect(Set(told) == Set(raised))
    var actions = try reader.contentActions()
    let shown = try actions.all().compactMap(\.crossing)
    #expect(shown.sorted() == crossings.filter { $0.change != .left }.map(\.id).sorted())
  }
}
