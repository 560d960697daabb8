import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// The actions done with contents, in a real file.
@Suite struct ContentActionsTests {
  private let folder: ScratchFolder
  private let path: String

  private struct Refused: Error {}

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
  }

  private func open() throws -> GeoPackageStore {
    try GeoPackageStore(path: path, durability: .onceInAWhile)
  }

  private static func action(
    _ kind: ContentAction.Kind, _ content: String = "c", at time: Seconds = 0,
    crossing: Int64? = nil, detail: String? = nil
  ) -> ContentAction {
    ContentAction(
      kind, at: start + time, content: (content, "Title \(content)"), place: "p",
      crossing: crossing, detail: detail)
  }

  private static func crossing(_ id: Int64) -> Record {
    .crossing(
      Crossing(
        id: id, .entered, time: start + Seconds(Double(id)), latest: start + Seconds(Double(id)),
        place: ("p", "Place", 1), position: position(52, 5), accuracy: 5, distance: -1,
        probabilityInside: 0.9))
  }

  private func actions() throws -> [ContentAction] {
    let reader = try StoreReader(path: path)
    var rows = try reader.contentActions()
    return try rows.all()
  }

  @Test("every part is read back, in order") func roundTrip() throws {
    let written = ContentAction.Kind.allCases.enumerated().map { index, kind in
      Self.action(
        kind, "c\(index % 2)", at: Seconds(Double(-index)), crossing: index == 0 ? 7 : nil,
        detail: index == 4 ? "5" : nil)
    }
    let store = try open()
    try store.write(written.map(\.record))
    #expect(try store.contentCounts(of: ["c0", "none"]).map(\.count) == [1, 1, 1, 1])
    #expect(try store.shownContent(atCrossing: 7) == written[0])
    #expect(try store.shownContent(atCrossing: 8) == nil)
    try store.close()
    #expect(try actions() == written)
  }

  @Test(
    "counts equal those of the log, after every end of the program",
    arguments: [1, 2, 3] as [UInt64])
  func counted(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var expected: [String: [ContentAction.Kind: Int]] = [:]
    for _ in 0..<8 {
      // Not closed: as after a kill, its log is beside the file.
      let store = try open()
      for id in 0..<20 {
        let kind = ContentAction.Kind.allCases.randomElement(using: &random) ?? .shown
        let content = "c\(Int.random(in: 0...2, using: &random))"
        try store.write([Self.crossing(Int64(id)), Self.action(kind, content).record])
        expected[content, default: [:]][kind, default: 0] += 1
      }
      for (content, counts) in expected {
        let found = try store.contentCounts(of: [content])
        #expect(found.allSatisfy { $0.contentID == content })
        #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.kind, $0.count) }) == counts)
      }
    }
  }

  @Test("a choice and its crossing are both stored, or neither is") func together() throws {
    let store = try open()
    try store.connection.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON content_actions
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """, doing: "read")
    let both = [Self.crossing(1), Self.action(.shown, crossing: 1).record]
    #expect(throws: PortError.self) { try store.write(both) }
    #expect(try store.lastIdentifiers().occurrence == 0)
    try store.connection.execute("DROP TRIGGER refuse", doing: "read")
    try store.write(both)
    try store.close()
    #expect(try actions().count == 1)
  }

  @Test("a person's action is checked against earlier ones, in one transaction") func editor()
    throws
  {
    let store = try open()
    let editor = ContentEditor(store)
    try editor.add(Self.action(.ranked, detail: "4")) { #expect($0.isEmpty) }
    try editor.add(Self.action(.ranked, "other", detail: "4")) { #expect($0.isEmpty) }
    #expect(throws: Refused.self) {
      try editor.add(Self.action(.ranked, detail: "5")) { before in
        #expect(before.map(\.detail) == ["4"])
        throw Refused()
      }
    }
    try store.close()
    #expect(try actions().map(\.contentID) == ["c", "other"])
  }

  @Test("interests are stored, and stay unchanged where a change is refused") func interests()
    throws
  {
    let store = try open()
    #expect(try store.interests() == nil)
    let editor = ContentEditor(store)
    try editor.changeInterests { _ in "one" }
    try editor.changeInterests { "\($0 ?? "") two" }
    #expect(throws: Refused.self) { try editor.changeInterests { _ in throw Refused() } }
    #expect(try store.interests() == "one two")
    try store.close()
    #expect(try StoreReader(path: path).interests() == "one two")
  }

  @Test("displays and views expire, explicit feedback stays") func retention() throws {
    let store = try open()
    try store.write(
      ContentAction.Kind.allCases.flatMap { kind in
        [Self.action(kind, at: 0), Self.action(kind, at: .days(9))]
      }.map(\.record))
    for _ in 0..<10 {
      _ = try store.applyRetention(RetentionLimits(age: .days(5)), now: start + .days(10))
    }
    let old = try actions().filter { $0.time == start }.map(\.kind)
    #expect(old == [.saved, .deleted, .ranked, .commented, .calendar])
    #expect(try actions().count == 12)
  }

  @Test("the newest of many crossings, in order") func crossings() throws {
    let store = try open()
    try store.write((1...9).map { Self.crossing($0) })
    #expect(try store.crossings(since: start + 3, atMost: 4).map(\.id) == [6, 7, 8, 9])
    #expect(try store.crossings(since: start + 8, atMost: 4).map(\.id) == [8, 9])
  }

  @Test("ids of crossings move with those of a foreign store") func renumbered()
    throws
  {
    let shift = try #require(
      Renumbering(aboveVisit: 0, destination: 0, session: 0, occurrence: 40))
    #expect(shift(Self.action(.shown, crossing: 2)).crossing == 42)
    #expect(shift(Self.action(.viewed)).crossing == nil)
  }
}
