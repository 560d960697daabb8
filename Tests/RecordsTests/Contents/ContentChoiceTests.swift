import Core
import TestSupport
import Testing

@testable import Records

@Suite struct ContentChoiceTests {
  private static let date = UTCInstant(seconds: 1_780_300_800)

  private static func item(_ number: UInt64, _ type: String = "") -> ContentItem {
    var random = SplitMix(seed: number)
    return ContentItem(id: UniqueID.made(using: &random), title: "\(number)", type: type)
  }

  private static func tally(_ deeds: ContentUse...) throws -> ContentCounts {
    var tally = ContentCounts()
    for action in deeds { try tally.count(action) }
    return tally
  }

  @Test("10 for the type, -1 shown, -5 viewed, -100 in the calendar") func score() throws {
    #expect(ContentChoice.score(interest: 3, ContentCounts()) == 30)
    #expect(ContentChoice.score(interest: 3, try Self.tally(.shown)) == 29)
    #expect(ContentChoice.score(interest: 3, try Self.tally(.shown, .viewed)) == 24)
    #expect(
      ContentChoice.score(interest: -2, try Self.tally(.shown, .viewed, .addedToCalendar)) == -126)
    #expect(
      ContentChoice.score(
        interest: 0, try Self.tally(.saved, .ranked(5), .commented("good"), .deleted)) == 0,
      "other deeds do not count")
  }

  @Test("nothing to choose from is nothing") func nothing() {
    var random = SplitMix(seed: 1)
    #expect(
      ContentChoice.choose([], [:], interests: InterestScores(), at: Self.date, using: &random)
        == nil)
  }

  @Test("expired contents are not chosen, nor timed ones while the date is unknown")
  func over() throws {
    var random = SplitMix(seed: 3)
    var interests = InterestScores()
    try interests.setScore(10, of: "talk")
    var talk = Self.item(1, "talk")
    talk.happening = ContentItem.Happening(from: Self.date, until: Self.date + 3600)
    let offer = Self.item(2, "sale")
    func chosen(_ items: [ContentItem], at date: UTCInstant?) -> UniqueID? {
      ContentChoice.choose(items, [:], interests: interests, at: date, using: &random)?.id
    }
    let both = [talk, offer]
    #expect(chosen(both, at: Self.date - .days(30)) == talk.id, "it is announced")
    #expect(chosen(both, at: Self.date + 3599) == talk.id)
    #expect(chosen(both, at: Self.date + 3600) == offer.id)
    #expect(chosen(both, at: UTCInstant(seconds: 1_900_000_000)) == offer.id)
    #expect(chosen(both, at: nil) == offer.id)
    #expect(chosen([talk], at: nil) == nil && chosen([talk], at: Self.date + 3600) == nil)
  }

  @Test(
    "the chosen content has the highest score, for any history",
    arguments: 1...300 as ClosedRange<UInt64>)
  func best(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let types = ["talk", "sale", ""]
    var interests = InterestScores()
    for type in types { try interests.setScore(Int(random.next() % 21) - 10, of: type) }
    let items = (0..<(1 + random.next() % 12)).map { Self.item($0, types[Int($0 % 3)]) }
    var tallies: [UniqueID: ContentCounts] = [:]
    for item in items {
      var tally = ContentCounts()
      for _ in 0..<(random.next() % 30) {
        try tally.count([.shown, .shown, .viewed, .addedToCalendar][Int(random.next() % 4)])
      }
      tallies[item.id] = tally
    }
    func score(_ item: ContentItem) -> Int {
      let tally = tallies[item.id] ?? ContentCounts()
      return 10 * interests[item.type] - tally.shown - 5 * tally.viewed
        - 100 * tally.addedToCalendar
    }
    let chosen = try #require(
      ContentChoice.choose(
        items, tallies, interests: interests, at: Self.date, using: &random))
    #expect(score(chosen) == items.map(score).max())
  }

  @Test("contents of equal score are equally likely (chi-square)", arguments: 2...7)
  func even(count: Int) throws {
    var random = SplitMix(seed: UInt64(count))
    let equals = (0..<UInt64(count)).map { Self.item($0, "talk") }
    var interests = InterestScores()
    try interests.setScore(1, of: "talk")
    let items = [Self.item(100, "sale")] + equals + [Self.item(101)]
    var counts: [UniqueID: Int] = [:]
    let draws = 7000
    for _ in 0..<draws {
      let chosen = try #require(
        ContentChoice.choose(items, [:], interests: interests, at: Self.date, using: &random))
      counts[chosen.id, default: 0] += 1
    }
    #expect(Set(counts.keys) == Set(equals.map(\.id)))
    let expected = Double(draws) / Double(count)
    let statistic = equals.reduce(0.0) { sum, item in
      let difference = Double(counts[item.id] ?? 0) - expected
      return sum + difference * difference / expected
    }
    // The 99.9th percentiles of chi-squared for 1 to 6 degrees of freedom.
    let bound = [10.83, 13.82, 16.27, 18.47, 20.52, 22.46][count - 2]
    #expect(statistic < bound, "\(statistic)")
  }

  @Test("invalid actions are refused, and change nothing") func refused() throws {
    var tally = try Self.tally(.ranked(4))
    let before = tally
    #expect(throws: ContentRefusal.self) { try tally.count(.ranked(5)) }
    #expect(throws: ContentRefusal.self) { try tally.count(.deleted) }
    #expect(tally == before)
    for rank in [0, 6, -1, .max] {
      var fresh = ContentCounts()
      #expect(throws: ContentRefusal.self) { try fresh.count(.ranked(rank)) }
      #expect(fresh == ContentCounts())
    }
    var interests = InterestScores()
    #expect(throws: ContentRefusal.self) { try interests.setScore(11, of: "talk") }
    #expect(interests == InterestScores())
  }
}
