import Foundation
import GodwitSettings
import GNSS
import Core
import ReceiverStandIns
import Testing

@testable import godwit

@Suite struct CompositionTests {
  /// A Raspberry Pi's board file names GPIO17, but no switch is connected to it.
  func wiring(_ kind: PowerSwitchSettings.Kind) throws -> PowerWiring {
    var settings = Settings()
    settings.powerSwitch.kind = kind
    settings.powerSwitch.lines = [.supply: try GpioLine(parsing: "GPIO17")]
    return Composition(settings: settings, world: .live).wiring
  }

  /// Otherwise the daemon would consider a running receiver off, and never put it to sleep.
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

  @Test("a receiver behind gpsd is not identified, and has a longer timeout")
  func portFacts() {
    let expected: [(ReceiverSettings.Kind, mayAsk: Bool, answersWithin: Seconds)] = [
      (.serial, true, 10), (.gnss, true, 10), (.gpsd, false, 45), (.none, false, 10),
    ]
    for (kind, mayAsk, answersWithin) in expected {
      var settings = Settings()
      settings.receiver.kind = kind
      let wiring = Composition(settings: settings, world: .live)
        .wiring(for: ConfiguredDevices.receiver(settings.receiver))
      #expect(wiring.mayQuery == mayAsk && wiring.startTimeout == answersWithin, "\(kind)")
    }
  }
}

@Suite struct ConfiguredDevicesTests {
  /// `doctor` and `gnss probe` beside a daemon that has cut the receiver's power.
  @Test("a command that only observes does not give gpsd a dead line")
  func whoOnlyLooksDoesNotGiveGpsdADeadLine() {
    let daemon = FakeGpsdControl()
    var settings = Settings()
    settings.receiver.kind = .gpsd
    settings.control.socket = daemon.path
    #expect(settings.observedReceiver.gpsd.control == nil)
    #expect(settings.receiver.gpsd.control == "/run/gpsd.sock")
    // Without a daemon gpsd may be asked to take the device back.
    for path in ["/tmp/godwit-no-such-socket", "/dev/null/socket"] {
      settings.control.socket = path
      #expect(settings.observedReceiver == settings.receiver)
    }
  }
}

@Suite struct BoardFoldersTests {
  private func installed(_ program: String?) -> [String] {
    BoardFolders(settings: "/settings/godwit.toml", program: program).folders
      .filter { $0.hasSuffix("godwit/boards") }
  }

  @Test("a program in another prefix finds the boards installed with it")
  func ownPrefix() {
    #expect(
      installed("/opt/godwit/bin/godwit") == [
        "/etc/godwit/boards", "/opt/godwit/share/godwit/boards", "/usr/local/share/godwit/boards",
        "/usr/share/godwit/boards",
      ])
  }

  @Test(
    "a standard prefix is not searched twice, and a build folder has no boards",
    arguments: ["/usr/local/bin/godwit", "/usr/bin/godwit", "/src/.build/release/godwit", nil])
  func usualPrefix(program: String?) {
    #expect(
      installed(program) == [
        "/etc/godwit/boards", "/usr/local/share/godwit/boards", "/usr/share/godwit/boards",
      ])
  }

  @Test("the temporary store of a run is private to its user") func forNow() throws {
    let modes = try NewStore.fillForNow { _ in
      let files = FileManager.default
      return try files.contentsOfDirectory(atPath: "/proc/self/fd")
        .compactMap { try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
        .filter { $0.contains("/.godwit.gpkg.") }
        .compactMap { try? files.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
    }
    #expect(!modes.isEmpty && modes.allSatisfy { $0 == 0o600 }, "\(modes)")
  }
}
