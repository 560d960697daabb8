import Quantities
import Testing

@testable import Beacons

@Suite struct HearingRegularityTests {
  @Test("half of what is usual is regular, in the seconds for which the radio listened")
  func half() {
    var regularity = HearingRegularity()
    let each = (0..<10).map { regularity.heard(afterListening: Seconds(Double($0))) }
    let everyOther = stride(from: 11.0, to: 60, by: 2).map {
      regularity.heard(afterListening: Seconds($0))
    }
    let everyThird = stride(from: 62.0, to: 90, by: 3).map {
      regularity.heard(afterListening: Seconds($0))
    }
    #expect(each.allSatisfy { $0 } && everyOther.allSatisfy { $0 })
    #expect(everyThird.last == false)
  }

  @Test("as often as it likes within a second is once, and one that sends seldom is regular")
  func pace() {
    var regularity = HearingRegularity()
    let often = (0..<20).map { regularity.heard(afterListening: Seconds(Double($0) / 10)) }
    let once = regularity.heard(afterListening: 7)
    let seldom = stride(from: 20.0, to: 100, by: 10).map {
      regularity.heard(afterListening: Seconds($0))
    }
    #expect(often.allSatisfy { $0 } && once && seldom.allSatisfy { $0 })
  }
}
