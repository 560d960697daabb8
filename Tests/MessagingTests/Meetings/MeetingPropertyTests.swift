import Core
import TestSupport
import Testing

@testable import Messaging

/// Any events of meetings in any order, with the board killed at any time.
@Suite struct MeetingPropertyTests {
  private typealias Bench = MeetingBench

  private static func event(_ chance: inout SplitMix) -> MeetingEvent {
    let number = Int.random(in: 1...4, using: &chance)
    let revision = Int.random(in: 1...9, using: &chance)
    switch Int.random(in: 0..<10, using: &chance) {
    case 0: return .join(Bench.id(number))
    case 1: return .leave(Bench.id(number))
    case 2: return .removed(Bench.id(number), by: number == 4 ? Bench.anna : Bench.olga)
    case 3: return .timePassed
    case 4: return .organized(Bench.meeting(5, revision: revision, by: Bench.anna))
    case 5:
      let action: MembershipChange.Action = Bool.random(using: &chance) ? .join : .leave
      let at = Bench.date + Seconds(.random(in: 0...9000, using: &chance))
      return .attendance(MembershipChange(action, .meeting, Bench.id(5), person: Bench.ben, at: at))
    default:
      // The content of a revision is always the same.
      let isPrivate = (number + revision) % 4 == 0
      return .received(
        Bench.meeting(
          number, revision: revision, spot: Metres(Double(revision)),
          starts: Seconds(Double(revision * 300)), ends: Seconds(Double(revision * 1000 + 5000)),
          invited: isPrivate ? .people([Bench.ben]) : .everybody, isCancelled: revision == 8))
    }
  }

  private static func run(_ seed: UInt64, isKilled: Bool) throws -> Bench {
    var chance = SplitMix(seed: seed)
    var kills = SplitMix(seed: seed)
    var bench = Bench()
    bench.come(0)
    for _ in 0..<250 {
      bench.now += Double.random(in: 0...90, using: &chance)
      let east = Metres(.random(in: 0...1000, using: &chance))
      let event = event(&chance)
      if isKilled, Bool.random(using: &kills) {
        try bench.restart()
      }
      // Only the board's last position is lost.
      bench.come(east)
      bench.step(event)
    }
    return bench
  }

  @Test(
    "a killed list reports the same as one that was not killed",
    arguments: 1...15 as ClosedRange<UInt64>)
  func killed(seed: UInt64) throws {
    let steady = try Self.run(seed, isKilled: false)
    let killed = try Self.run(seed, isKilled: true)
    #expect(killed.told == steady.told && killed.stored == steady.stored)
  }

  @Test(
    "each revision is reported once, and only to attendees",
    arguments: 1...30 as ClosedRange<UInt64>)
  func once(seed: UInt64) throws {
    let bench = try Self.run(seed, isKilled: true)
    var joined: Set<Int> = []
    var told: [Int: Int] = [:]
    let numbers = Dictionary(uniqueKeysWithValues: (1...5).map { (Bench.id($0), $0) })
    for effect in bench.told {
      switch effect {
      case .send(let one, _):
        let number = numbers[one.id] ?? 0
        if one.action == .join { joined.insert(number) } else { joined.remove(number) }
      case .changed(let meeting, let changes):
        let number = numbers[meeting.id] ?? 0
        #expect(joined.contains(number) && !changes.isEmpty)
        #expect(meeting.revision > told[number] ?? 0 && meeting.admits(Bench.anna))
        told[number] = meeting.revision
      case .over(let meeting, _):
        #expect(joined.remove(numbers[meeting.id] ?? 0) != nil)
      case .appeared(let meeting):
        #expect(meeting.admits(Bench.anna) && !meeting.isCancelled)
      default: break
      }
    }
  }
}
