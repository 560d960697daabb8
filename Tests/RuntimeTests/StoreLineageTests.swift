import Ports
import Testing

@testable import Runtime

/// Whose ids go on in a store that was opened, and what it has to be told.
@Suite struct StoreLineageTests {
  static func opening(_ marks: [UInt32], _ mark: UInt32, ids: Int64 = 0) -> StoreOpening {
    StoreOpening(
      marks: marks, mark: mark,
      identifiers: StoreIdentifiers(visit: ids, destination: ids, session: ids))
  }

  static func meet(
    _ kinship: inout StoreLineage, _ opening: StoreOpening
  ) -> StoreLineage.Relation {
    defer { kinship.adopt(opening) }
    return kinship.relation(to: opening)
  }

  @Test("copies from any time of this store are kin, copies that others went on with are not")
  func marksTell() {
    var kinship = StoreLineage()
    #expect(Self.meet(&kinship, Self.opening([1, 2], 3, ids: 50)) == .first)
    #expect(Self.meet(&kinship, Self.opening([], 4)) == .kin, "a new file")
    #expect(Self.meet(&kinship, Self.opening([1], 5, ids: 20)) == .kin, "an old backup")
    #expect(Self.meet(&kinship, Self.opening([1, 2, 3], 6, ids: 60)) == .kin, "one of this run")
    #expect(Self.meet(&kinship, Self.opening([1, 2, 77], 7, ids: 20)) == .stranger)
    #expect(Self.meet(&kinship, Self.opening([1, 2, 77, 7], 8, ids: 90)) == .kin, "adopted by now")
    #expect(
      Self.meet(&kinship, Self.opening([1, 2, 3], 9, ids: 60)) == .stranger, "ids have changed")
    #expect(
      Self.meet(&kinship, Self.opening([], 10, ids: 5)) == .stranger, "of a program without marks")
  }
}
