import Testing

@testable import Records

@Suite struct InterestScoresTests {
  @Test("visits count from the second on, and less than explicit interests") func inferred() throws
  {
    var interests = InterestScores()
    interests.infer(from: ["a": 0, "b": 1, "c": 2, "d": 3, "e": 4, "f": 8, "g": 1_000_000])
    #expect(["a", "b", "c", "d", "e", "f", "g"].map { interests[$0] } == [0, 0, 1, 1, 2, 3, 3])
    try interests.setScore(-5, of: "g")
    #expect(interests["g"] == -5)
    try interests.setScore(nil, of: "g")
    #expect(interests["g"] == 3)
    try interests.setScore(0, of: "g")
    #expect(interests["g"] == 0, "neither, whatever the visits say")
    interests.infersFromVisits = false
    #expect(interests["f"] == 0)
    #expect(interests["unknown"] == 0)
  }
}
