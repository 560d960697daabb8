import Core
import TestSupport
import Testing

@testable import Records

/// Actions as rows of the action log, and back.
@Suite struct ContentLogTests {
  private static func row(_ action: ContentUse) -> ContentAction {
    ContentAction(
      action.kind, at: UTCInstant(seconds: 1), content: ("c", "C"), place: "p",
      detail: action.detail)
  }

  private static let deeds: [ContentUse] = [
    .shown, .viewed, .saved, .deleted, .ranked(3), .commented("good"), .addedToCalendar,
  ]

  @Test("each action is read back from its row", arguments: deeds)
  func roundTrip(action: ContentUse) { #expect(ContentUse(Self.row(action)) == action) }

  @Test("every kind of row has its action") func kinds() {
    #expect(Set(Self.deeds.map(\.kind)) == Set(ContentAction.Kind.allCases))
  }

  @Test(
    "a tally from rows equals that from actions, and its score is the document's",
    arguments: 1...200 as ClosedRange<UInt64>)
  func tally(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let deeds = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      Self.deeds.randomElement(using: &random) ?? .shown
    }
    var tally = ContentCounts()
    var rows: [ContentAction] = []
    for action in deeds where (try? tally.count(action)) != nil { rows.append(Self.row(action)) }
    #expect(ContentCounts(rows) == tally)
    let counts = Dictionary(grouping: rows, by: \.kind).mapValues(\.count)
    let interest = Int.random(in: -10...10, using: &random)
    let score =
      10 * interest - (counts[.shown] ?? 0) - 5 * (counts[.viewed] ?? 0)
      - 100 * (counts[.calendar] ?? 0)
    #expect(ContentChoice.score(interest: interest, tally) == score)
    let brief = ContentCounts(
      shown: counts[.shown] ?? 0, viewed: counts[.viewed] ?? 0,
      addedToCalendar: counts[.calendar] ?? 0)
    #expect(ContentChoice.score(interest: interest, brief) == score)
  }

  @Test("invalid rows of other programs do not count") func odd() {
    var rank = Self.row(.ranked(3))
    rank.detail = "three"
    let rows = [rank, Self.row(.ranked(9)), Self.row(.deleted), Self.row(.shown)]
    let tally = ContentCounts(rows)
    #expect(tally.rank == nil && !tally.isSaved && tally.shown == 1)
  }

  @Test("interests are read as they were stored") func interests() throws {
    var interests = InterestScores()
    try interests.setScore(-10, of: "sale \"x\"")
    try interests.setScore(4, of: "talk")
    #expect(try InterestScores(text: interests.text) == interests)
    interests.infersFromVisits = false
    #expect(try InterestScores(text: interests.text) == interests)
    #expect(try InterestScores(text: nil) == InterestScores())
    #expect(InterestScores().infersFromVisits)
  }

  @Test(
    "interests that cannot be read are refused",
    arguments: [
      "", "{", "{}", "[]", #"{"said":{},"inferred_from_visits":3}"#,
      #"{"said":{"a":11},"inferred_from_visits":true}"#,
      #"{"said":{"a":"b"},"inferred_from_visits":true}"#,
      #"{"said":{"a":1.5},"inferred_from_visits":true}"#,
    ])
  func damaged(text: String) {
    #expect(throws: ContentRefusal.self) { try InterestScores(text: text) }
  }

  @Test("disabled visits do not count, and their interests are deleted") func off() {
    var interests = InterestScores()
    interests.infer(from: ["talk": 4])
    #expect(interests["talk"] == 2)
    interests.infersFromVisits = false
    #expect(interests["talk"] == 0)
    interests.infer(from: ["talk": 4])
    #expect(interests["talk"] == 0)
  }
}
