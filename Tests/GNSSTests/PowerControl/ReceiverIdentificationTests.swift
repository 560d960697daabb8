import Core
import Testing

@testable import GNSS

/// Which receiver it is, and when it is queried.
@Suite struct ReceiverIdentificationTests {
  private let version = ReceiverAnswer.mtkVersion(
    MTKVersion(release: "AXN_5.1.7", build: "3333", product: ""))

  @Test("a receiver of a configured family is not queried, nor one behind gpsd")
  func notAsked() {
    var configured = ReceiverIdentification(PowerWiring(family: .casic))
    #expect(configured.begin(at: .zero) == [] && configured.due == nil && configured.isCertain)
    var behindGpsd = ReceiverIdentification(PowerWiring(mayAsk: false))
    #expect(behindGpsd.begin(at: .zero) == [] && !behindGpsd.isCertain)
  }

  @Test("queries continue when due, and end with the identity")
  func questions() throws {
    var identification = ReceiverIdentification(PowerWiring())
    #expect(identification.begin(at: .zero).count == 1)
    let due = try #require(identification.due)
    #expect(identification.proceed(at: due).count == 1, "asked a second time")
    #expect(identification.learn(version)?.family == .mediatek)
    #expect(identification.proceed(at: due + 10) == [] && identification.due == nil)
  }

  @Test("a new identity is reported once")
  func newsOnce() {
    var identification = ReceiverIdentification(PowerWiring())
    // This identifies only the protocol.
    #expect(identification.learn(.mtkStartup(1)) == nil)
    #expect(identification.commands.family == .mediatek && !identification.isCertain)
    #expect(identification.learn(version) != nil)
    #expect(identification.learn(version) == nil)
  }

  @Test("after three sessions without an answer queries end")
  func leftAlone() {
    var identification = ReceiverIdentification(PowerWiring())
    for session in 0..<5 {
      #expect(identification.begin(at: .zero).isEmpty == (session >= 3))
      identification.stop()
    }
  }
}
