import Core
import Testing

@testable import RadioSignals

@Suite struct ReceptionRateTests {
  @Test("half the usual rate is regular, measured in the seconds of scanning")
  func half() {
    var regularity = ReceptionRate()
    let each = (0..<10).map { regularity.received(afterListening: Seconds(Double($0))) }
    let everyOther = stride(from: 11.0, to: 40, by: 2).map {
      regularity.received(afterListening: Seconds($0))
    }
    let everyFifth = stride(from: 45.0, to: 60, by: 5).map {
      regularity.received(afterListening: Seconds($0))
    }
    #expect(each.allSatisfy { $0 } && everyOther.allSatisfy { $0 })
    #expect(everyFifth.last == false)
  }

  @Test("any rate within a second counts once, and a slow beacon is regular")
  func pace() {
    var regularity = ReceptionRate()
    let often = (0..<20).map { regularity.received(afterListening: Seconds(Double($0) / 10)) }
    let once = regularity.received(afterListening: 7)
    var other = ReceptionRate()
    let seldom = stride(from: 20.0, to: 100, by: 10).map {
      other.received(afterListening: Seconds($0))
    }
    #expect(often.allSatisfy { $0 } && once && seldom.allSatisfy { $0 })
  }
}
