import Testing

@testable import Delivery

@Suite struct ByteBudgetTests {
  private static func item(_ number: Int64, _ rank: OutboxItem.Rank = .usual) -> OutboxItem {
    OutboxItem(
      number: number, to: .owntracks, layer: "a", record: number, rank: rank,
      payload: [UInt8](repeating: 0, count: 100))
  }

  @Test("the last fifth is reserved for important items, and then nothing goes") func shares() {
    var budget = ByteBudget(most: 2000, spent: 0)
    // 200 bytes each: the item and its overhead.
    #expect(budget.take((1...20).map { Self.item($0) }).map(\.number) == Array(1...8))
    #expect(!budget.allows(.usual) && budget.allows(.important))
    #expect(budget.take([Self.item(21)]).isEmpty)
    #expect(budget.take((22...30).map { Self.item($0, .important) }).map(\.number) == [22, 23])
    #expect(!budget.allows(.important))
  }

  @Test("without a limit everything goes") func unbounded() {
    var budget = ByteBudget(most: 0, spent: .max)
    #expect(budget.take((1...20).map { Self.item($0) }).count == 20)
    #expect(budget.allows(.usual))
  }

  @Test("earlier spending counts") func before() {
    #expect(!ByteBudget(most: 1000, spent: 800).allows(.usual))
    #expect(ByteBudget(most: 1000, spent: 800).allows(.important))
    #expect(!ByteBudget(most: 1000, spent: 1000).allows(.important))
  }
}
