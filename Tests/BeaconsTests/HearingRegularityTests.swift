import Quantities
import Testing

@testable import Beacons

@Suite struct HearingRegularityTests {
  @Test("half of what is usual is regular, in the seconds for which the radio listened")
  func half() {
    var regularity = HearingRegularity()
    for second in 0..<10 { #expect(regularity.heard(afterListening: Seconds(Double(second)))) }
    // In one second of two.
    for second in stride(from: 11.0, to: 60, by: 2) {
      #expect(regularity.heard(afterListening: Seconds(second)))
    }
    // In one of three.
    _ = regularity.heard(afterListening: 62)
    _ = regularity.heard(afterListening: 65)
    #expect(!regularity.heard(afterListening: 68))
  }

  @Test("as often as it likes within a second is once, and one that sends seldom is regular")
  func pace() {
    var regularity = HearingRegularity()
    for tenth in 0..<20 { #expect(regularity.heard(afterListening: Seconds(Double(tenth) / 10))) }
    #expect(regularity.heard(afterListening: 7))
    for second in stride(from: 20.0, to: 100, by: 10) {
      #expect(regularity.heard(afterListening: Seconds(second)))
    }
  }
}
