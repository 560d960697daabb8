import Core
import Ports
import Records
import Testing
import VirtualDevice

@Suite struct VirtualCoarseTests {
  /// Queries again after each answer, for a while.
  func answers(
    _ board: VirtualBoard, for time: Seconds
  ) throws -> [(at: BootInstant, CoarseObservation)] {
    let coarse = try #require(board.coarse)
    let end = board.clock.now + time
    var answers: [(at: BootInstant, CoarseObservation)] = []
    try coarse.request()
    while let next = board.nextEvent, next <= end {
      board.advance(to: next)
      if case .location(let answer)? = try coarse.poll() {
        answers.append((board.clock.now, answer))
        try coarse.request()
      }
    }
    return answers
  }

  @Test("the first query is answered, and then only significant changes")
  func firstQuestionIsAnsweredAndThenOnlyWhatIsSignificant() throws {
    let groundTruth = StandingTruth()
    groundTruth.network = AccessPoint(name: "02:00:00:00:00:09", position: groningen)
    let board = VirtualBoard(groundTruth: groundTruth)
    let all = try answers(board, for: .days(1))
    // On one access point all day: there is nothing to report after the first answer.
    #expect(all.count == 1)
    #expect(all.first?.1.accessPoint == "02:00:00:00:00:09")
  }

  @Test("moving brings an answer every 500 m") func movingBringsAnAnswerEvery500Metres() throws {
    let board = VirtualBoard(groundTruth: drive(seconds: 3600))
    let all = try answers(board, for: 3500)
    // 35 km at 10 m/s; it checks every 10 s, so an answer comes after 500 m to 600 m.
    #expect((56...71).contains(all.count))
  }

  @Test("on request every query is answered") func onRequestEveryQuestionIsAnswered() throws {
    let board = VirtualBoard(
      groundTruth: StandingTruth(), settings: .init(coarse: .init(delivery: .onRequest)))
    #expect(try answers(board, for: 300).count == 100)
  }

  @Test("the errors are those of its sources") func errorsAreThoseOfItsSources() throws {
    func errors(_ network: AccessPoint?) throws -> [(error: Double, claimed: Double)] {
      let groundTruth = StandingTruth()
      groundTruth.network = network
      let board = VirtualBoard(
        groundTruth: groundTruth, settings: .init(coarse: .init(delivery: .onRequest)))
      return try answers(board, for: .hours(2)).compactMap { answer in
        guard let place = answer.1.position, let accuracy = answer.1.accuracy else { return nil }
        return (Sphere.distance(place, groningen).value, accuracy.value)
      }
    }
    let wifi = try errors(AccessPoint(name: "02:00:00:00:00:09", position: groningen))
    #expect(wifi.map(\.error).sorted()[wifi.count / 2] < 80)
    #expect(wifi.allSatisfy { (20...80).contains($0.claimed) })
    let wrong = wifi.count { $0.error > 500 }
    #expect(wrong > 0 && wrong < wifi.count / 20)
    let cell = try errors(nil)
    #expect((50...1200).contains(cell.map(\.error).sorted()[cell.count / 2]))
  }

  @Test("nothing is due before a query") func nothingIsDueUntilAsked() throws {
    let board = VirtualBoard(groundTruth: StandingTruth())
    #expect(board.nextEvent == nil)
    #expect(try board.coarse?.poll() == nil)
  }
}
