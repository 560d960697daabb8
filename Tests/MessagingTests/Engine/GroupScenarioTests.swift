import Messaging
import PeopleExperiment
import Core
import Testing

/// "A service lets users keep track of other while traveling in a group and notifies if a user
/// gets left behind" (Chughtai 2015, 4.3.2).
@Suite struct GroupScenarioTests {
  private let world = PeopleWorld()

  /// Anna is the guide; Ben and Carl have joined.
  private func trip(
    _ group: Group = People.group()
  ) -> (anna: VirtualBoard, ben: VirtualBoard, carl: VirtualBoard) {
    let (anna, ben, carl) = (
      world.person(People.anna), world.person(People.ben), world.person(People.carl)
    )
    world.pass(60)
    #expect(anna.does(.guided(group)).isEmpty)
    world.pass(120)
    for board in [ben, carl] {
      #expect(board.does(.joined(People.group)).isEmpty && board.isInGroup)
    }
    world.pass(120)
    return (anna, ben, carl)
  }

  private static func count(_ board: VirtualBoard, _ isMeant: (GroupNotification) -> Bool) -> Int {
    board.groupNotification.count(where: isMeant)
  }
  private static func behind(_ board: VirtualBoard, _ person: PersonAddress) -> Int {
    count(board) { if case .fellBehind(person, _) = $0 { true } else { false } }
  }
  private static func unheard(_ board: VirtualBoard, _ person: PersonAddress) -> Int {
    count(board) { if case .missing(person, _) = $0 { true } else { false } }
  }

  @Test("people nearby find an open group, and every member sees who joins") func joined() {
    let far = world.person(People.mallory, at: 200_000)
    let (anna, ben, carl) = trip()
    #expect(anna.groupNotification == [.joined(People.ben), .joined(People.carl)])
    #expect(ben.groupNotification == [.joined(People.carl)])
    #expect(carl.groupNotification == [.joined(People.ben)])
    #expect(far.messaging.groupStates.isEmpty)
    for board in [anna, ben, carl] {
      #expect(
        board.messaging.groupStates.first?.members.map(\.person) == [People.ben, People.carl])
    }
    // Each member has the positions of the others.
    #expect(anna.messaging.groupStates.first?.members.allSatisfy { $0.member.last != nil } == true)
    #expect(ben.messaging.groupStates.first?.guidePosition != nil)
  }

  @Test("falling behind a moving guide is reported once to each member, and so is the return")
  func fallsBehind() {
    let (anna, ben, carl) = trip()
    for board in [anna, carl] { board.goes(to: 2000, taking: 1800) }
    world.pass(1800)
    for board in [anna, ben, carl] {
      #expect(Self.behind(board, People.ben) == 1 && Self.behind(board, People.carl) == 0)
    }
    #expect(anna.disk.notices.map(\.kind) == [.group])
    ben.goes(to: 2000, taking: 600)
    world.pass(900)
    for board in [anna, ben, carl] {
      #expect(Self.count(board) { $0 == .back(People.ben) } == 1)
      #expect(Self.behind(board, People.ben) == 1)
    }
  }

  @Test("a silent member is reported once, and so is the first position after that")
  func notHeard() {
    let (anna, ben, carl) = trip()
    ben.isOn = false
    world.pass(3600)
    #expect(Self.unheard(anna, People.ben) == 1 && Self.unheard(carl, People.ben) == 1)
    ben.isOn = true
    world.pass(300)
    for board in [anna, carl] {
      #expect(Self.count(board) { $0 == .receivedAgain(People.ben) } == 1)
      #expect(Self.unheard(board, People.ben) == 1)
    }
  }

  @Test("a silent guide is reported once, without alerts for members") func silent() {
    let (anna, ben, carl) = trip()
    anna.isOnline = false
    anna.goes(to: 3000, taking: 1200)
    world.pass(3600)
    for board in [ben, carl] {
      #expect(
        board.groupNotification.count { if case .guideSilent = $0 { true } else { false } } == 1)
      #expect(Self.behind(board, People.ben) + Self.behind(board, People.carl) == 0)
      #expect(Self.unheard(board, People.ben) + Self.unheard(board, People.carl) == 0)
    }
    anna.isOnline = true
    world.pass(300)
    for board in [ben, carl] {
      #expect(Self.count(board) { $0 == .guideReceived } == 1)
      #expect(Self.behind(board, People.ben) == 1 && Self.behind(board, People.carl) == 1)
    }
  }

  @Test("a member who has left is no longer monitored, and leaves no position behind") func left() {
    let (anna, ben, carl) = trip()
    #expect(world.topics("godwit-group-positions").count == 3)
    #expect(ben.does(.left(People.group)).isEmpty && !ben.isInGroup)
    ben.goes(to: 10_000)
    world.pass(1800)
    for board in [anna, carl] {
      #expect(Self.count(board) { $0 == .left(People.ben) } == 1)
      #expect(Self.behind(board, People.ben) == 0 && Self.unheard(board, People.ben) == 0)
    }
    #expect(world.topics("godwit-group-positions").count == 2)
    #expect(ben.does(.left(People.group)).count == 1, "twice he cannot leave")
  }

  @Test("members' positions are requested as often as the range requires") func wanted() {
    let (_, ben, _) = trip()
    ben.isLocating = false
    world.pass(600)
    #expect(ben.messaging.wantedAccuracy == 50)
    ben.isLocating = true
    world.pass(60)
    #expect(ben.messaging.wantedAccuracy == nil)
  }

  @Test("an unknown person's group does not wake the board, except for its end")
  func notWoken() throws {
    let anna = world.person(People.anna)
    let mallory = world.person(People.mallory)
    world.pass(60)
    mallory.does(.guided(People.group(guide: People.mallory)))
    world.pass(60)
    #expect(anna.messaging.groupStates.count == 1 && anna.messaging.wake == nil)
    anna.isKilled()
    world.pass(600)
    #expect(anna.messaging.groupStates.count == 1 && anna.messaging.wake == nil)
    mallory.does(.guided(People.group(revision: 2, guide: People.mallory, ends: 1800)))
    world.pass(60)
    // It has rebooted after 120 s.
    let wake = try #require(anna.messaging.wake)
    #expect((wake.seconds - (1800 - 120)).magnitude < 0.01)
    mallory.isOn = false
    world.pass(1200)
    #expect(anna.messaging.groupStates.isEmpty && anna.messaging.wake == nil && anna.news.isEmpty)
  }

  @Test("a guide who travels far keeps the group, which is found again at its new position")
  func travels() {
    let (anna, ben, carl) = trip()
    let there = world.person(People.mallory, at: 60_000)
    for board in [anna, ben, carl] { board.goes(to: 60_000, taking: 2000) }
    world.pass(2400)
    for board in [anna, ben, carl] {
      #expect(board.isInGroup && !board.groupNotification.contains(.ended))
      #expect(Self.behind(board, People.ben) == 0 && Self.behind(board, People.carl) == 0)
    }
    #expect(there.messaging.foundGroups.map(\.group.name) == ["Class 3b"])
    #expect(there.news.isEmpty, "of a group in which somebody is not, nothing is told")
    #expect(
      world.topics("godwit-area-groups").allSatisfy { topic in
        there.messaging.subscriptions(around: PeopleWorld.place(60_000)).contains {
          VirtualBroker.matches($0, topic)
        }
      })
  }

  @Test("a member who stays at the group's old position has fallen behind and is still a member")
  func staysBehind() {
    let (anna, ben, carl) = trip()
    for board in [anna, carl] { board.goes(to: 60_000, taking: 2000) }
    world.pass(2400)
    #expect(ben.isInGroup && !ben.groupNotification.contains(.ended))
    #expect(Self.behind(ben, People.ben) == 1 && Self.behind(anna, People.ben) == 1)
    ben.goes(to: 60_000, taking: 1800)
    world.pass(2400)
    for board in [anna, ben, carl] {
      #expect(Self.count(board) { $0 == .back(People.ben) } == 1)
    }
  }

  @Test("a group ended by its guide ends for everybody, wherever they are") func ended() {
    let (anna, ben, carl) = trip()
    carl.goes(to: 60_000)
    world.pass(300)
    ben.isOnline = false
    anna.does(.guided(People.group(revision: 2, ends: Seconds(world.now))))
    world.pass(60)
    ben.isOnline = true
    world.pass(60)
    for board in [anna, ben, carl] {
      #expect(Self.count(board) { $0 == .ended } == 1 && !board.isInGroup)
      #expect(board.messaging.groupStates.isEmpty && board.messaging.pending.isEmpty)
      #expect(board.disk.count(.group) == 0 && board.disk.count(.groupPublication) == 0)
    }
    #expect(world.topics("godwit-area-groups").isEmpty)
    #expect(world.topics("godwit-group-positions").isEmpty, "nobody is found any more")
  }

  @Test("an ended group continues in a higher revision, for people who join again")
  func again() {
    let (anna, ben, _) = trip()
    anna.does(.guided(People.group(revision: 2, ends: Seconds(world.now))))
    world.pass(60)
    #expect(!ben.isInGroup)
    anna.does(.guided(People.group(revision: 3)))
    world.pass(60)
    #expect(ben.does(.joined(People.group)).isEmpty)
    ben.isKilled()
    world.pass(600)
    #expect(
      ben.isInGroup && anna.messaging.groupStates.first?.members.map(\.person) == [People.ben])
  }

  @Test("a group with an end time ends then, without a message") func ends() {
    let (anna, ben, carl) = trip(People.group(ends: 1800))
    world.pass(1800)
    for board in [anna, ben, carl] {
      #expect(Self.count(board) { $0 == .ended } == 1 && board.messaging.groupStates.isEmpty)
      #expect(board.messaging.pending.isEmpty)
    }
    #expect(world.topics("godwit-area-groups").isEmpty)
    #expect(world.topics("godwit-group-positions").isEmpty)
  }

  @Test("a group for certain people is shown to and joined by them alone") func allowed() {
    let anna = world.person(People.anna)
    let ben = world.person(People.ben, at: 100_000)
    let carl = world.person(People.carl)
    anna.does(.guided(People.group(allowed: .people([People.ben]))))
    world.pass(60)
    #expect(carl.messaging.groupStates.isEmpty && carl.does(.joined(People.group)).count == 1)
    #expect(ben.does(.joined(People.group)).isEmpty)
    world.pass(60)
    #expect(anna.groupNotification.first == .joined(People.ben))
    // No longer allowed.
    anna.does(.guided(People.group(revision: 2, allowed: .people([People.carl]))))
    world.pass(60)
    #expect(!ben.isInGroup && carl.messaging.groupStates.count == 1)
    #expect(
      ben.groupNotification.contains(.ended) || ben.groupNotification.contains(.left(People.ben)))
  }

  @Test("only the guide can change a group") func others() {
    let (anna, ben, _) = trip()
    #expect(ben.does(.guided(People.group(revision: 2))).count == 1)
    #expect(ben.does(.guided(People.group(revision: 2, guide: People.ben))).count == 1)
    #expect(anna.does(.guided(People.group(revision: 1))).count == 1)
    #expect(anna.does(.left(People.group)).count == 1)
    #expect(anna.messaging.groupStates.first?.group == People.group())
  }

  @Test("killed boards resume their previous state") func killed() {
    let (anna, ben, carl) = trip()
    for board in [anna, carl] { board.goes(to: 2000, taking: 1800) }
    for _ in 0..<60 {
      world.pass(31)
      for board in [anna, ben, carl] { board.isKilled() }
    }
    for board in [anna, ben, carl] {
      #expect(Self.behind(board, People.ben) == 1 && board.isAsStored && board.remarks.isEmpty)
    }
  }
}
