import GNSS
import Testing

/// The order that prevents current through the pins of a module without supply.
@Suite struct PowerLineOrderTests {
  static let all = PowerLineSequence(Set(PowerLine.allCases))

  private func text(_ levels: [PowerLineSequence.Level]) -> [String] {
    levels.map { "\($0.line.rawValue) \($0.isActive ? "on" : "off")" }
  }

  @Test("the supply comes before pins through which it must not be fed")
  func supplyBeforePins() {
    #expect(text(Self.all.supply) == ["backup on", "reset off", "wake off", "supply on"])
    #expect(text(Self.all.connect) == ["uart on"])
  }

  @Test("the supply goes last, and the backup supply stays")
  func supplyGoesLast() {
    #expect(text(Self.all.cut) == ["uart off", "wake off", "supply off"])
    #expect(text(Self.all.cutSupply) == ["supply off"])
  }

  @Test("only wired lines are set", arguments: 0..<32)
  func onlyWiredLines(bits: Int) {
    let wired = Set(
      PowerLine.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
    let order = PowerLineSequence(wired)
    #expect(Set((order.supply + order.connect).map(\.line)) == wired)
    #expect(Set(order.cut.map(\.line)) == wired.subtracting([.backup, .reset]))
    #expect(order.cutSupply.isEmpty == !wired.contains(.supply))
  }

  @Test("each order has every line once, and drives no pin without supply")
  func everyLineOnce() throws {
    for order in [PowerLineSequence.rising, PowerLineSequence.falling] {
      #expect(order.count == PowerLine.allCases.count)
      #expect(Set(order) == Set(PowerLine.allCases))
    }
    let rising = PowerLineSequence.rising, falling = PowerLineSequence.falling
    let on = try #require(rising.firstIndex(of: .supply))
    let off = try #require(falling.firstIndex(of: .supply))
    #expect(try #require(rising.firstIndex(of: .uart)) > on)
    #expect(try #require(falling.firstIndex(of: .uart)) < off)
    #expect(try #require(falling.firstIndex(of: .wake)) < off)
  }
}
