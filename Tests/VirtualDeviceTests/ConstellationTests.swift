import Core
import Testing

@testable import VirtualDevice

@Suite struct ConstellationTests {
  @Test("enough satellites are always up, and they change")
  func enoughSatellitesAreAlwaysUpAndTheyChange() {
    var random = SeededRandom(seed: 1)
    var constellation = Constellation(random: &random)
    var seen: Set<Int> = []
    for minute in 0..<1440 {
      constellation.advance(to: morning + .minutes(Double(minute)))
      let visible = constellation.visible
      #expect((10...30).contains(visible.count))
      #expect(
        visible.allSatisfy { (1...90).contains($0.elevation) && (0..<360).contains($0.azimuth) })
      #expect(zip(visible, visible.dropFirst()).allSatisfy { $0.elevation >= $1.elevation })
      seen.formUnion(visible.map(\.number))
    }
    #expect(seen == Set(1...32).union(65...88))
  }

  @Test("the worse the reception, the fewer satellites and the higher the HDOP")
  func theViewGetsWorseWithTheSky() {
    var random = SeededRandom(seed: 2)
    func mean(_ reception: Reception) -> (used: Double, hdop: Double) {
      let views = (0..<200).map { _ in
        ReceptionView(
          visible: 18, reception: reception, penetration: 0, hasFix: true, random: &random)
      }
      #expect(views.allSatisfy { $0.used >= 4 && $0.used <= $0.received })
      return (
        views.reduce(0) { $0 + Double($1.used) } / 200, views.reduce(0) { $0 + $1.hdop } / 200
      )
    }
    let (open, street, indoors) = (mean(.open), mean(.street), mean(.indoors))
    #expect(open.used > street.used && street.used > indoors.used)
    #expect(open.hdop < street.hdop && street.hdop < indoors.hdop)
    #expect((0.5...1).contains(open.hdop) && (1.2...4).contains(indoors.hdop))
  }
}
