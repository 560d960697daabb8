import GodwitSettings
import ReceiverStandIns
import Testing

@testable import godwit

@Suite struct ConfiguredReceiverTests {
  /// `doctor` and `gnss probe` beside a daemon that has cut the receiver's power.
  @Test("a command that only observes does not give gpsd a dead line")
  func whoOnlyLooksDoesNotGiveGpsdADeadLine() {
    let daemon = FakeGpsdControl()
    var settings = Settings()
    settings.receiver.kind = .gpsd
    settings.control.socket = daemon.path
    #expect(settings.receiverToLookAt.gpsd.control == nil)
    #expect(settings.receiver.gpsd.control == "/run/gpsd.sock")
    // Without a daemon gpsd may be asked to take it back.
    for path in ["/tmp/godwit-no-such-socket", "/dev/null/socket"] {
      settings.control.socket = path
      #expect(settings.receiverToLookAt == settings.receiver)
    }
  }
}
