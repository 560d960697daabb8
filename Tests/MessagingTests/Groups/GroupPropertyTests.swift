import Core
import TestSupport
import Testing

@testable import Messaging

/// Any events of a group, repeated at will, with the board killed at any time.
@Suite struct GroupPropertyTests {
  private typealias Bench = GroupBench

  private static let people = [Bench.guide, Bench.mia, Bench.tom]

  private static func event(_ chance: inout SplitMix, now: Double) -> GroupEvent {
    let person = people.randomElement(using: &chance) ?? Bench.guide
    switch Int.random(in: 0..<12, using: &chance) {
    case 0: return .timePassed
    case 1:
      let action: MembershipChange.Action = Bool.random(using: &chance) ? .join : .leave
      return .attendance(Bench.join(person, action, at: Seconds(now - 5)))
    case 2...3: return .attendance(Bench.join(person, at: Seconds(now)))
    default:
      let late: Double = [0, 0, 0, 10, 100, 700].randomElement(using: &chance) ?? 0
      return .position(
        Bench.position(
          person, Metres(.random(in: 0...500, using: &chance)),
          accuracy: Metres(.random(in: 1...100, using: &chance)), at: now - late))
    }
  }

  private static func run(
    _ seed: UInt64, isKilled: Bool = false, isRepeated: Bool = false
  ) throws -> Bench {
    var chance = SplitMix(seed: seed)
    var bench = Bench(Bench.group(ends: Bench.date + 40_000), [Bench.mia, Bench.tom])
    var kills = SplitMix(seed: seed)
    var earlier: [GroupEvent] = []
    for _ in 0..<120 {
      bench.now += [1, 20, 60, 400].randomElement(using: &chance) ?? 1
      let event = event(&chance, now: bench.now)
      // A refused event may be accepted later.
      if bench.step(event) { earlier.append(event) }
      if isKilled, Int.random(in: 0..<3, using: &kills) == 0 { try bench.restart() }
      // A broker redelivers messages that were acknowledged too late.
      if isRepeated { for event in earlier.suffix(3) { bench.step(event) } }
    }
    return bench
  }

  @Test(
    "a killed watch reports the same as one that was not killed",
    arguments: 1...8 as ClosedRange<UInt64>)
  func killed(seed: UInt64) throws {
    let steady = try Self.run(seed)
    let killed = try Self.run(seed, isKilled: true)
    #expect(killed.news == steady.news && killed.stored == steady.stored)
    #expect(!steady.news.isEmpty)
  }

  @Test(
    "a repeated event changes nothing", arguments: 1...8 as ClosedRange<UInt64>)
  func repeated(seed: UInt64) throws {
    let plain = try Self.run(seed)
    let repeated = try Self.run(seed, isRepeated: true)
    #expect(repeated.news == plain.news && repeated.stored == plain.stored)
  }

  @Test(
    "no alert is repeated before its end",
    arguments: 1...12 as ClosedRange<UInt64>)
  func once(seed: UInt64) throws {
    let bench = try Self.run(seed, isKilled: true, isRepeated: true)
    var outside: Set<PersonAddress> = []
    var unheard: Set<PersonAddress> = []
    var isSilent = false
    for news in bench.news {
      switch news {
      case .fellBehind(let person, _): #expect(outside.insert(person).inserted)
      case .back(let person): #expect(outside.remove(person) != nil)
      case .missing(let person, _): #expect(unheard.insert(person).inserted && !isSilent)
      case .receivedAgain(let person): #expect(unheard.remove(person) != nil)
      case .joined(let person), .left(let person):
        outside.remove(person)
        unheard.remove(person)
      case .guideSilent:
        #expect(!isSilent)
        isSilent = true
      case .guideReceived:
        #expect(isSilent)
        isSilent = false
      case .changed, .ended: break
      }
    }
  }
}
