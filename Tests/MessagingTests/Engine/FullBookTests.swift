import Messaging
import Core
import PeopleExperiment
import Testing

/// A board without its broker for a long time: its queue is limited, and nothing of it is lost.
@Suite struct FullBookTests {
  private let world = PeopleWorld()

  /// Letters imported from files, each at the board's position.
  private func bring(_ numbers: ClosedRange<Int>, to board: VirtualBoard, expires: Seconds? = nil) {
    for number in numbers {
      board.does(.imported(.letter(People.letter(number, expires: expires))))
    }
  }

  private func receipts(at board: VirtualBoard) -> Int {
    board.messaging.pending.count { $0.topic.hasPrefix("godwit-letter-receipts") }
  }

  @Test("with 1,000 queued receipts letters wait, no receipt is lost, and delivery resumes later")
  func receipts() {
    let anna = world.person(People.anna)
    anna.isOnline = false
    world.pass(1)
    bring(1...1000, to: anna)
    #expect(anna.delivered.count == 1000 && receipts(at: anna) == 1000)
    bring(1001...1030, to: anna)
    bring(1031...1040, to: anna, expires: 600)
    anna.isKilled()
    world.pass(1200)
    #expect(anna.delivered.count == 1000 && receipts(at: anna) == 1000)
    #expect(anna.messaging.letterRecords.count { $0.status == .waiting } == 40)
    let told = anna.refusals.filter { "\($0)".contains("receipts") }
    #expect((1...2).contains(told.count), "once, and once after the restart: \(told)")
    // It does not spin over expired letters whose receipts cannot be sent.
    #expect(anna.messaging.wake == nil)
    anna.isOnline = true
    world.pass(120)
    #expect(anna.delivered.count == 1030 && anna.messaging.pending.isEmpty && anna.isAsStored)
    #expect(world.topics("godwit-letter-receipts/ben/anna/").count == 1040)
    #expect((1031...1040).allSatisfy { anna.standing($0) == .expired })
  }

  @Test("with files alone the oldest receipts make room, and this is reported")
  func files() {
    let anna = world.person(People.anna, hasBroker: false)
    world.pass(1)
    bring(1...500, to: anna)
    world.pass(20)
    bring(501...1002, to: anna)
    #expect(anna.delivered.count == 1002 && receipts(at: anna) == 1000)
    let told = anna.refusals.filter { "\($0)".contains("newer receipts replace it") }
    #expect(told.count == 2)
    #expect(anna.messaging.letterFile.count == 1000 && anna.isAsStored)
  }

  @Test("with a full queue the owner's announcements are refused, but withdrawals never")
  func deeds() throws {
    let ben = world.person(People.ben)
    ben.isOnline = false
    let many = try (0..<50).map { try PersonAddress("p\($0)") }
    for number in 1...20 {
      #expect(ben.does(.box(People.box(number, for: many))).isEmpty)
    }
    #expect(ben.messaging.pending.count == 20 * 51)
    let refusals = ben.does(.box(People.box(21, for: many)))
    #expect(refusals.count == 1 && refusals[0].concerns(People.id(21)))
    #expect(refusals[0].description.contains("reached its broker"))
    #expect(ben.does(.removedBox(People.id(1))).isEmpty)
    ben.isOnline = true
    world.pass(60)
    #expect(world.topics("godwit-letterboxes").count == 19 * 51 && ben.messaging.pending.isEmpty)
    #expect(ben.does(.box(People.box(21, for: many))).isEmpty)
  }
}
