import Core
import TestSupport
import Testing

@testable import Messaging

/// Any events of letters in any order, repeated at will, with power failures at any time.
@Suite struct LetterPropertyTests {
  private typealias Bench = LetterBench

  private static let box = try! Letterbox(
    id: Bench.id(500), owner: Bench.ben, name: "Box", for: .people([Bench.anna]),
    at: Bench.circle(300))

  /// Twenty letters, some of them for others, expired, from a blocked person, or in the box.
  private static let letters: [Letter] = (0..<20).map { number in
    let spot: Letter.Spot =
      number % 5 == 4 ? .box(box.id) : .circle(Bench.circle(Metres(Double(number % 4) * 200)))
    return Bench.letter(
      number, from: number == 7 ? Bench.mallory : Bench.ben,
      to: number == 8
        ? .people([Bench.carl])
        : (number == 9 || number == 10 ? .everybody : .people([Bench.anna])),
      at: number == 9 ? .circle(Bench.circle(600)) : spot,
      expires: number == 11 ? Bench.date + 1 : nil)
  }

  private static let withdrawn = letters[12].key
  private static let due = Set(
    letters.filter { ![7, 8, 11, 12].contains(letters.firstIndex(of: $0)) }.map(\.key))

  private static func bench() throws -> Bench {
    var contacts = Contacts(welcome: .everybody)
    try contacts.block(Bench.mallory)
    return Bench(contacts: contacts)
  }

  private static func event(
    _ chance: inout SplitMix, _ bench: inout Bench, isLost: Bool
  ) throws {
    switch Int.random(in: 0..<10, using: &chance) {
    case 0...3:
      let letter = letters.randomElement(using: &chance) ?? letters[0]
      try bench.step(.arrived(letter), isLost: isLost)
    case 4: try bench.step(.box(box), isLost: isLost)
    case 5: try bench.step(.withdrawn(LetterWithdrawal(withdrawn)), isLost: isLost)
    case 6:
      let key = letters[Int.random(in: 0..<20, using: &chance)].key
      try bench.step(.read(key), isLost: isLost)
    case 7: try bench.step(.timePassed, isLost: isLost)
    default:
      try bench.come(
        Metres(.random(in: -100...700, using: &chance)),
        accuracy: Metres(.random(in: 1...60, using: &chance)), isLost: isLost)
    }
  }

  @Test(
    "every letter is delivered once, in any order, with any repeats and power failures",
    arguments: 1...25 as ClosedRange<UInt64>)
  func once(seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    var bench = try Self.bench()
    try bench.step(.withdrawn(LetterWithdrawal(Self.withdrawn)))
    for _ in 0..<120 {
      let isLost = Int.random(in: 0..<8, using: &chance) == 0
      try Self.event(&chance, &bench, isLost: isLost)
      if Int.random(in: 0..<8, using: &chance) == 0 { try bench.restart() }
      #expect(Set(bench.delivered).count == bench.delivered.count)
    }
    // Everything has arrived, and the board has been everywhere.
    try bench.step(.box(Self.box))
    for letter in Self.letters.shuffled(using: &chance) { try bench.step(.arrived(letter)) }
    for east in [0.0, 200, 300, 400, 600, 800] { try bench.come(Metres(east)) }
    #expect(bench.delivered.count == Self.due.count)
    #expect(Set(bench.delivered) == Self.due)
    #expect(bench.receipts.count { $0.outcome == .delivered } == Self.due.count)
    #expect(bench.refused.count { $0.reason == .blocked } == 1)
    #expect(bench.refused.count { $0.reason == .notForMe } == 1)
  }

  @Test(
    "a killed inbox continues like one that was not killed", arguments: 1...8 as ClosedRange<UInt64>
  )
  func same(seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    var again = SplitMix(seed: seed)
    var steady = try Self.bench()
    var killed = try Self.bench()
    for _ in 0..<120 {
      try Self.event(&chance, &steady, isLost: false)
      try Self.event(&again, &killed, isLost: false)
      try killed.restart()
      // Only the last location is lost, which an arriving letter would use; a new location restores
      // it.
      try steady.come(-5000)
      try killed.come(-5000)
    }
    #expect(killed.delivered == steady.delivered && killed.notices == steady.notices)
    #expect(killed.receipts == steady.receipts && killed.refused == steady.refused)
    #expect(killed.stored == steady.stored)
  }
}
