import GodwitSettings
import PowerControl
import Quantities
import Testing

@testable import godwit

@Suite struct CompositionTests {
  /// A Raspberry Pi's board file names GPIO17, and no switch hangs on it.
  func wiring(_ kind: PowerSwitchSettings.Kind) throws -> PowerWiring {
    var settings = Settings()
    settings.powerSwitch.kind = kind
    settings.powerSwitch.lines = [.supply: try GpioLine(parsing: "GPIO17")]
    return Composition(settings: settings, isLive: true).wiring
  }

  /// Otherwise the daemon would take a receiver for off that is on, and never put it to sleep.
  @Test("lines count only where they switch something") func linesCountOnlyWhereTheySwitch() throws
  {
    let lines = try wiring(.gpio)
    #expect(lines.canCut && lines.lines == [.supply])
    for kind in [PowerSwitchSettings.Kind.none, .command] {
      let other = try wiring(kind)
      #expect(!other.canCut && other.lines.isEmpty)
    }
    let device = try wiring(.gnss)
    #expect(device.canCut && device.lines.isEmpty)
  }

  @Test("a receiver behind gpsd is not asked who it is, and may take longer to answer")
  func portFacts() {
    let expected: [(ReceiverSettings.Kind, mayAsk: Bool, answersWithin: Seconds)] = [
      (.serial, true, 10), (.gnss, true, 10), (.gpsd, false, 45), (.none, false, 10),
    ]
    for (kind, mayAsk, answersWithin) in expected {
      var settings = Settings()
      settings.receiver.kind = kind
      let wiring = Composition(settings: settings, isLive: true)
        .wiring(for: ConfiguredReceiver.port(settings.receiver))
      #expect(wiring.mayAsk == mayAsk && wiring.answersWithin == answersWithin, "\(kind)")
    }
  }
}
