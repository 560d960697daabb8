import Messaging
import Core
import PeopleExperiment
import TestSupport
import Testing

/// Several boards on one broker that loses, repeats and delays their messages and is unreachable
/// for minutes, while their power fails before and after steps are durable.
@Suite struct CorrespondencePropertyTests {
  private static let spots: [Metres] = [0, 200, 400, 600, 800]

  /// Trials with every kind of failure, which end in normal operation.
  private struct Trial {
    let world: PeopleWorld
    var chance: SplitMix
    private(set) var boards: [VirtualBoard] = []
    private(set) var written: [Letter] = []
    private(set) var withdrawn: Set<UniqueID> = []

    init(_ seed: UInt64, _ people: [PersonAddress]) {
      world = PeopleWorld(seed: seed)
      chance = SplitMix(seed: seed &+ 1000)
      for person in people { boards.append(world.person(person, at: 5000, welcome: .everybody)) }
      world.broker.faults = .rough
      world.failures = 0.03
    }

    func board(_ person: PersonAddress) -> VirtualBoard { boards.first { $0.me == person }! }

    /// A letter from one person to everybody is for all the others.
    func due(for person: PersonAddress) -> Set<UniqueID> {
      Set(
        written.filter { letter in
          letter.to.include(person) && !(letter.to == .everybody && letter.from == person)
        }.map(\.id))
    }

    mutating func disturb() {
      world.broker.isReachable = Int.random(in: 0..<6, using: &chance) > 0
      for board in boards {
        board.isOn = Int.random(in: 0..<8, using: &chance) > 0
        board.isOnline = Int.random(in: 0..<6, using: &chance) > 0
        if Int.random(in: 0..<10, using: &chance) == 0 { board.isKilled() }
      }
    }

    mutating func write(_ number: Int) {
      let writer = boards.randomElement(using: &chance) ?? boards[0]
      let others = Set(boards.map(\.me)).sorted().filter {
        $0 == writer.me ? number % 5 == 0 : Bool.random(using: &chance)
      }
      let to = others.isEmpty ? [People.all[number % 3]] : others
      let spot = CorrespondencePropertyTests.spots.randomElement(using: &chance) ?? 0
      let isForEverybody = number % 6 == 5
      let letter = People.letter(
        number, from: writer.me, to: isForEverybody ? .everybody : .people(to),
        at: number % 4 == 3 && !isForEverybody
          ? .box(People.id(500)) : .circle(People.circle(spot)),
        expires: isForEverybody ? 30_000 : nil)
      writer.failure = [nil, nil, .before, .after].randomElement(using: &chance) ?? nil
      if writer.does(.wrote(letter)).isEmpty
        || writer.published.contains(where: { $0.letter == letter })
      {
        written.append(letter)
      }
    }

    /// The writer withdraws the last letter, whatever its status.
    mutating func withdraw() {
      guard let letter = written.last, withdrawn.insert(letter.id).inserted else { return }
      for board in boards where board.me == letter.from { board.does(.withdrew(letter.id)) }
    }

    mutating func walk() {
      for board in boards where Int.random(in: 0..<3, using: &chance) == 0 {
        board.goes(
          to: CorrespondencePropertyTests.spots.randomElement(using: &chance) ?? 0,
          taking: Double.random(in: 0...300, using: &chance))
      }
    }

    /// Normal operation again, and everybody goes everywhere.
    func calm() {
      world.broker.faults = .none
      world.failures = 0
      world.broker.isReachable = true
      for board in boards {
        board.isOn = true
        board.isOnline = true
        board.failure = nil
        board.isKilled()
      }
      world.pass(120)
    }

    func visitEverything() {
      for spot in CorrespondencePropertyTests.spots {
        for board in boards { board.goes(to: spot) }
        world.pass(60)
      }
    }

    func expectPeace() {
      for board in boards {
        #expect(board.messaging.pending.isEmpty && board.isAsStored && board.remarks.isEmpty)
      }
    }
  }

  private static func letters(_ trial: inout Trial) {
    trial.board(People.ben).does(.box(People.box(for: People.all, at: 600)))
    for number in 0..<16 {
      trial.disturb()
      trial.write(number)
      if number % 7 == 6 { trial.withdraw() }
      trial.walk()
      trial.world.pass(Double.random(in: 10...400, using: &trial.chance))
    }
    trial.calm()
    trial.visitEverything()
    // Letters to everybody stay published until they expire.
    for board in trial.boards { board.isLocating = false }
    trial.world.pass(30_000)
    trial.expectPeace()
    #expect(trial.world.topics("godwit-letters").isEmpty)
    #expect(trial.world.topics("godwit-area-letters").isEmpty)
  }

  @Test(
    "every letter is delivered once to each recipient, and stays nowhere in the end",
    arguments: 1...5 as ClosedRange<UInt64>)
  func once(seed: UInt64) {
    var trial = Trial(seed, People.all)
    Self.letters(&trial)
    #expect(trial.written.count == 16)
    for board in trial.boards {
      #expect(Set(board.delivered).count == board.delivered.count)
      let due = trial.due(for: board.me)
      #expect(Set(board.delivered).isSubset(of: due))
      #expect(due.subtracting(trial.withdrawn).isSubset(of: board.delivered))
      #expect(board.published.isEmpty)
      // Each writer gets one receipt per recipient.
      let told = board.receipts.map { "\($0.letter) \($0.by)" }
      #expect(Set(told).count == told.count)
      #expect(board.receipts.allSatisfy { $0.outcome == .delivered })
    }
  }

  @Test(
    "two boards of one person deliver each letter, each board at most once",
    arguments: 1...4 as ClosedRange<UInt64>)
  func twoBoards(seed: UInt64) {
    var trial = Trial(seed, People.all + [People.anna])
    Self.letters(&trial)
    let (first, second) = (trial.boards[0], trial.boards[3])
    #expect(Set(first.delivered).count == first.delivered.count)
    #expect(Set(second.delivered).count == second.delivered.count)
    let due = trial.due(for: People.anna)
    let delivered = Set(first.delivered + second.delivered)
    #expect(delivered.isSubset(of: due))
    #expect(due.subtracting(trial.withdrawn).isSubset(of: delivered))
  }

  @Test(
    "falling behind is reported once to everybody, and so are the return and the end",
    arguments: 1...2 as ClosedRange<UInt64>)
  func group(seed: UInt64) {
    var trial = Trial(seed, People.all)
    let world = trial.world
    let (anna, ben) = (trial.board(People.anna), trial.board(People.ben))
    trial.calm()
    anna.does(.guided(People.group()))
    world.pass(60)
    for board in trial.boards.dropFirst() { board.does(.joined(People.group)) }
    world.pass(120)
    func live(_ seconds: Double) {
      world.broker.faults = .rough
      world.failures = 0.03
      for _ in 0..<12 {
        trial.disturb()
        for board in trial.boards { board.isOn = true }
        world.pass(seconds / 12)
      }
      trial.calm()
      world.pass(180)
    }
    for board in trial.boards where board !== ben { board.goes(to: 8000, taking: 3000) }
    live(3000)
    ben.goes(to: 8000, taking: 600)
    live(1800)
    anna.does(.guided(People.group(revision: 2, ends: Seconds(world.now))))
    live(600)
    for board in trial.boards { Self.expectAlternating(board.groupNotification, of: People.ben) }
    trial.expectPeace()
    #expect(world.topics("godwit-group-positions").isEmpty)
    #expect(world.topics("godwit-area-groups").isEmpty)
  }

  @Test(
    "whoever joins and leaves, in the end everybody knows the members of the group",
    arguments: 1...3 as ClosedRange<UInt64>)
  func members(seed: UInt64) {
    var trial = Trial(seed, People.all + [People.mallory])
    let world = trial.world
    let anna = trial.board(People.anna)
    trial.calm()
    anna.does(.guided(People.group()))
    world.pass(60)
    world.broker.faults = .rough
    world.failures = 0.03
    for _ in 0..<15 {
      trial.disturb()
      let board = trial.boards[Int.random(in: 1...3, using: &trial.chance)]
      board.failure = [nil, nil, .before, .after].randomElement(using: &trial.chance) ?? nil
      board.does(board.isInGroup ? .left(People.group) : .joined(People.group))
      world.pass(Double.random(in: 1...120, using: &trial.chance))
    }
    trial.calm()
    let members = trial.boards.dropFirst().filter(\.isInGroup).map(\.me).sorted()
    for board in trial.boards where board === anna || board.isInGroup {
      #expect(board.messaging.groupStates.first?.members.map(\.person) == members)
    }
    // Permanent members get alternating reports of each other person's joining and leaving.
    for person in People.all + [People.mallory] {
      let deeds = anna.groupNotification.filter { $0 == .joined(person) || $0 == .left(person) }
      for (one, next) in zip(deeds, deeds.dropFirst()) { #expect(one != next) }
    }
    #expect(world.topics("godwit-group-positions").count == members.count + 1)
    trial.expectPeace()
  }

  /// One report per alert, and none repeated before its end.
  private static func expectAlternating(_ news: [GroupNotification], of lost: PersonAddress) {
    var open: Set<String> = []
    var behind: [PersonAddress] = []
    var back: [PersonAddress] = []
    for one in news {
      switch one {
      case .fellBehind(let person, _): behind.append(person)
      case .back(let person): back.append(person)
      case .missing(let person, _): #expect(open.insert("\(person)").inserted)
      case .receivedAgain(let person): #expect(open.remove("\(person)") != nil)
      case .guideSilent: #expect(open.insert("guide").inserted)
      case .guideReceived: #expect(open.remove("guide") != nil)
      case .joined, .left, .changed, .ended: break
      }
    }
    #expect(behind == [lost] && back == [lost])
    #expect(news.count { $0 == .ended } == 1 && news.last == .ended)
  }

  @Test(
    "a meeting is shown once, and each change and its end are reported once",
    arguments: 1...4 as ClosedRange<UInt64>)
  func meeting(seed: UInt64) {
    var trial = Trial(seed, People.all)
    let world = trial.world
    let (anna, ben) = (trial.board(People.anna), trial.board(People.ben))
    ben.does(.organized(People.meeting(starts: 300)))
    func live(_ seconds: Double) {
      world.broker.faults = .rough
      world.failures = 0.03
      for _ in 0..<6 {
        trial.disturb()
        trial.walk()
        world.pass(seconds / 6)
      }
      trial.calm()
    }
    live(1500)
    trial.visitEverything()
    anna.goes(to: 0)
    world.pass(60)
    #expect(anna.does(.joined(People.meeting)).isEmpty)
    live(1500)
    #expect(ben.messaging.meetingRecords.first?.attendees == [People.anna])
    ben.does(.organized(People.meeting(revision: 2, spot: 50, starts: 300)))
    live(1500)
    ben.does(.organized(People.meeting(revision: 3, spot: 50, starts: 300, isCancelled: true)))
    live(1500)
    world.pass(10_000)
    let last = People.meeting(revision: 3, spot: 50, starts: 300, isCancelled: true)
    #expect(
      anna.meetingNews == [
        .meetingAppeared(People.meeting(starts: 300)),
        .meetingChanged(People.meeting(revision: 2, spot: 50, starts: 300), [.spot]),
        .meetingOver(last, .cancelled),
      ])
    #expect(trial.board(People.carl).meetingNews == [.meetingAppeared(People.meeting(starts: 300))])
    #expect(ben.meetingNews.count == 1)
    trial.expectPeace()
    #expect(world.broker.topics(at: world.now).isEmpty)
  }
}
