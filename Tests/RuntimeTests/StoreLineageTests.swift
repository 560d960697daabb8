import Ports
import Testing

@testable import Runtime

/// Whether the ids of a store that was opened continue, and what has to be written to it.
@Suite struct StoreLineageTests {
  static func opening(_ marks: [UInt32], _ mark: UInt32, ids: Int64 = 0) -> StoreOpening {
    StoreOpening(
      marks: marks, mark: mark,
      identifiers: StoreIdentifiers(visit: ids, destination: ids, session: ids))
  }

  static func meet(
    _ lineage: inout StoreLineage, _ opening: StoreOpening
  ) -> StoreLineage.Relation {
    defer { lineage.adopt(opening) }
    return lineage.relation(to: opening)
  }

  @Test("copies from any time of this store are its own, copies used elsewhere are foreign")
  func marksTell() {
    var lineage = StoreLineage()
    #expect(Self.meet(&lineage, Self.opening([1, 2], 3, ids: 50)) == .first)
    #expect(Self.meet(&lineage, Self.opening([], 4)) == .sameStore, "a new file")
    #expect(Self.meet(&lineage, Self.opening([1], 5, ids: 20)) == .sameStore, "an old backup")
    #expect(
      Self.meet(&lineage, Self.opening([1, 2, 3], 6, ids: 60)) == .sameStore, "one of this run")
    #expect(Self.meet(&lineage, Self.opening([1, 2, 77], 7, ids: 20)) == .foreign)
    #expect(
      Self.meet(&lineage, Self.opening([1, 2, 77, 7], 8, ids: 90)) == .sameStore, "adopted by now")
    #expect(
      Self.meet(&lineage, Self.opening([1, 2, 3], 9, ids: 60)) == .foreign, "ids have changed")
    #expect(
      Self.meet(&lineage, Self.opening([], 10, ids: 5)) == .foreign, "of a program without marks")
  }
}
