import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// The store's log of changes to places, for programs that want to be notified.
@Suite struct PlaceEditsTests {
  private let folder: ScratchFolder
  private let store: GeoPackageStore
  private var path: String { folder.file("life.gpkg") }
  private static let uuid = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0001"

  init() throws {
    folder = try ScratchFolder()
    store = try GeoPackageStore(path: folder.file("life.gpkg"))
  }

  private static func circle(
    _ name: String, _ uuid: String = uuid, at centre: Coordinate = position(52.1, 5.2)
  ) -> PlaceRow {
    var place = StoredPlace()
    place.name = name
    place.uuid = uuid
    place.version = 1
    return .circle(StoredCircle(id: 0, centre: centre, radius: 50, place))
  }

  private func put(_ rows: PlaceRow...) throws { try PlaceEditor(store).put(rows) }

  private func wait(_ kind: String = "changed", isEnabled: Bool? = nil) throws {
    var alert = StoredAlert(id: 0)
    alert.kind = kind
    alert.isEnabled = isEnabled
    _ = try AlertEditor(store).add(alert)
  }

  private func edits(after id: Int64 = 0) throws -> [StoredPlaceEdit] {
    try store.placeEdits(after: id, atMost: 100)
  }

  @Test("without a consumer nothing is logged") func nobody() throws {
    try wait("enter")
    try wait(isEnabled: false)
    try put(Self.circle("Quay"))
    try put(Self.circle("Mole"))
    #expect(try edits().isEmpty)
  }

  @Test("each change is logged with the state before, whatever program edits") func changes() throws
  {
    try wait()
    try put(Self.circle("Quay"))
    #expect(try edits().isEmpty, "a new one was nothing before")
    try put(Self.circle("Mole", at: position(52.2, 5.2)))
    let first = try #require(try edits().first)
    #expect(first.before.place.name == "Quay" && first.before.centre == position(52.1, 5.2))
    #expect(first.after?.place.name == "Mole")
    try edit(path, bySQL: "UPDATE places SET name = 'Pier' WHERE name = 'Mole'")
    let second = try edits(after: first.id)
    #expect(second.map(\.before.place.name) == ["Mole"])
    #expect(second.first?.after?.place.version == 2)
    try edit(path, bySQL: "UPDATE places SET beacons = 'eddystone:00112233445566778899'")
    let third = try edits(after: try #require(second.last?.id))
    #expect(third.map(\.before.place.beacons) == [nil])
    try edit(path, bySQL: "DELETE FROM places")
    let last = try edits(after: try #require(third.last?.id))
    #expect(
      last.first?.before.place.beacons == "eddystone:00112233445566778899" && last.count == 1
        && last[0].before.place.name == "Pier" && last[0].after == nil)
  }

  @Test("a circle that becomes an outline is a change, not a removal")
  func redrawn() throws {
    try wait()
    try put(Self.circle("Quay"))
    let triangle = [[[position(52, 5), position(52, 6), position(53, 5), position(52, 5)]]]
    var place = StoredPlace()
    place.name = "Quay"
    place.uuid = Self.uuid
    try put(.area(StoredArea(id: 0, polygons: triangle, latitude: nil, longitude: nil, place)))
    #expect(try edits().map { $0.after?.place.name } == ["Quay"])
    try edit(path, bySQL: "UPDATE place_areas SET description = 'deep'")
    let edit = try #require(try edits().last)
    #expect(edit.before.centre == nil && edit.before.place.name == "Quay")
  }

  @Test("reported changes are deleted, and numbers are not used again") func told() throws {
    try wait()
    for name in ["Quay", "Mole", "Pier"] { try put(Self.circle(name)) }
    let ids = try edits().map(\.id)
    #expect(ids.count == 2)
    try store.write([.placeEditsReported(upTo: ids[1])])
    #expect(try edits().isEmpty)
    try put(Self.circle("Quay"))
    #expect(try edits().allSatisfy { $0.id > ids[1] })
  }

  @Test("without a consumer's progress the oldest are dropped") func bounded() throws {
    try wait()
    try put(Self.circle("0"))
    try store.write([])
    for number in 1...1100 { try put(Self.circle("\(number)")) }
    let edits = try store.placeEdits(after: 0, atMost: 5000)
    #expect(edits.count == 1000 && edits.last?.before.place.name == "1099")
  }

  @Test("areas visited often are reported however many corners they have") func large()
    throws
  {
    // The maximum number of corners of a place.
    let ring = (0..<20_000).map { position(52 + Double($0 % 2), 5 + Double($0) / 20_000) }
    for number in 0..<26 {
      var place = StoredPlace()
      place.name = "\(number)"
      place.uuid = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d00\(number + 10)"
      let row = StoredArea(
        id: 0, polygons: [[ring + ring.prefix(1)]], latitude: nil, longitude: nil, place)
      try put(.area(row))
      let time = UTCInstant(seconds: 1_780_000_000)
      let crossing = Crossing(
        id: Int64(number + 1), .entered, time: time, latest: time,
        place: (try #require(place.uuid), "x", 1), position: position(52.1, 5.2), accuracy: 5,
        distance: -20, probabilityInside: 0.99)
      try store.write([.crossing(crossing)])
    }
    var count = 0
    try store.placesVisited(onDays: 1, atMost: 100) { _ in count += 1 }
    #expect(count == 26)
  }

  @Test("visited often: on several days") func visited() throws {
    let other = "0d7a6f6e-8a2b-4c53-9a90-2f3f1c6d0002"
    try put(Self.circle("Bakery"), Self.circle("Shoes", other))
    var id: Int64 = 0
    func come(_ uuid: String, _ change: Crossing.Change, day: Double) throws {
      id += 1
      let time = UTCInstant(seconds: 1_780_000_000) + .days(day)
      try store.write([
        .crossing(
          Crossing(
            id: id, change, time: time, latest: time, place: (uuid, "x", 1),
            position: position(52.1, 5.2), accuracy: 5, distance: -20, probabilityInside: 0.99))
      ])
    }
    for day in [0.0, 1, 2] { try come(Self.uuid, .entered, day: day) }
    for day in [0.0, 0.01, 0.02] { try come(other, .entered, day: day) }
    try come(other, .left, day: 5)
    func visited(onDays days: Int) throws -> [String?] {
      var names: [String?] = []
      try store.placesVisited(onDays: days, atMost: 10) { names.append($0.place.name) }
      return names
    }
    #expect(try visited(onDays: 3) == ["Bakery"])
    #expect(try visited(onDays: 1).count == 2)
  }

  @Test("places whose time has ended are found in both layers, and reported once")
  func ends() throws {
    let start = UTCInstant(seconds: 1_777_593_600)
    func place(_ number: Int, until seconds: Double?) -> PlaceRow {
      guard case .circle(var circle) = Self.circle("\(number)", "\(Self.uuid.dropLast())\(number)")
      else { preconditionFailure("it is a circle") }
      circle.place.validUntil = seconds.map { start + Seconds($0) }
      return .circle(circle)
    }
    try put(place(2, until: 0), place(3, until: 60), place(4, until: 90), place(5, until: nil))
    // As another program writes it.
    try edit(path, bySQL: "UPDATE places SET valid_until = '2026-05-01 00:02:00' WHERE name = '4'")
    try edit(path, bySQL: "UPDATE places SET valid_until = '9999-12-31' WHERE name = '5'")
    try put(place(6, until: nil))
    try edit(path, bySQL: "UPDATE places SET valid_until = 'now' WHERE name = '6'")
    func ended(_ end: Double, unnoticed: Bool = false) throws -> ([String?], UTCInstant?) {
      let ends = try store.placeEnds(
        after: PlaceEndMark(start), by: start + Seconds(end), unnoticed: unnoticed, atMost: 9)
      return (ends.places.map(\.place.name), ends.next)
    }
    #expect(try ended(59) == ([], start + 60))
    #expect(try ended(60) == (["3"], start + 120))
    #expect(try ended(120) == (["3", "4"], nil))
    for (id, time, number) in [(1, 59.0, 3), (2, 121, 4)] {
      var notice = Notice(
        id: Int64(id), time: start + Seconds(time), alert: 1, name: "News", kind: .alert(.changed),
        text: "x")
      notice.placeUUID = "\(Self.uuid.dropLast())\(number)"
      try store.write([.notice(notice)])
    }
    #expect(try ended(200, unnoticed: true) == (["3"], nil))
  }

  @Test(
    "many ends follow page by page, each once, however many are simultaneous", arguments: [1, 3])
  func pagesOfEnds(size: Int) throws {
    let start = UTCInstant(seconds: 1_777_593_600)
    for number in 0..<10 {
      guard case .circle(var circle) = Self.circle("\(number)", "\(Self.uuid.dropLast())\(number)")
      else { preconditionFailure("it is a circle") }
      circle.place.validUntil = start + (number < 7 ? 60 : 30)
      try put(.circle(circle))
    }
    var names: [String?] = []
    var mark: PlaceEndMark? = PlaceEndMark(start)
    while let after = mark {
      let page = try store.placeEnds(after: after, by: start + 90, unnoticed: true, atMost: size)
      #expect(page.places.count <= size && page.next == nil)
      names += page.places.map(\.place.name)
      mark = page.rest
    }
    #expect(names == ["7", "8", "9", "0", "1", "2", "3", "4", "5", "6"])
  }
}
