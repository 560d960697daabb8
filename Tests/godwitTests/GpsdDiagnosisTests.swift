import Glibc
import GodwitSettings
import GNSS
import ReceiverStandIns
import TestSupport
import Testing

@testable import godwit

@Suite struct GpsdDiagnosisTests {
  /// A receiver that is served by gpsd and switched by a line.
  func settings(_ control: String) -> Settings {
    var settings = Settings()
    settings.receiver.kind = .gpsd
    settings.receiver.gpsd.control = control
    settings.powerSwitch.kind = .gpio
    settings.control.group = DoctorTests.group
    return settings
  }

  @Test("nothing is reported if no line cuts the power") func nothingIsSaidWhereNobodyCutsPower() {
    var unswitched = settings("/nowhere")
    unswitched.powerSwitch.kind = .none
    #expect(GpsdDiagnosis.finding(unswitched) == nil)
    var serial = settings("/nowhere")
    serial.receiver.kind = .serial
    #expect(GpsdDiagnosis.finding(serial) == nil)
  }

  @Test("a missing control socket is a warning that names its setting, no socket a failure")
  func missingSocketNamesTheSetting() {
    for path in ["", "/tmp/godwit-no-such-socket"] {
      let finding = GpsdDiagnosis.finding(settings(path))
      #expect(finding?.verdict == .warn && finding?.part == "gpsd.control")
      #expect(finding?.text.contains("receiver.gpsd_control") == true)
    }
    #expect(GpsdDiagnosis.finding(settings("/dev/null"))?.verdict == .fail)
  }

  /// Debian's socket belongs to root: 0600.
  @Test("the finding for a closed socket shows the drop-in to write")
  func closedSocketNamesTheDropIn() {
    let control = FakeGpsdControl()
    chmod(control.path, 0o400)
    let closed = GpsdDiagnosis.finding(settings(control.path))
    #expect(closed?.verdict == .warn)
    #expect(closed?.text.contains("gpsd.socket.d/godwit.conf") == true)
    chmod(control.path, 0o660)
    #expect(GpsdDiagnosis.finding(settings(control.path))?.verdict == .ok)
    chmod(control.path, 0o666)
    var strange = settings(control.path)
    strange.control.group = "no-such-group"
    #expect(GpsdDiagnosis.finding(strange)?.verdict == .ok)
  }

  /// The check must neither block gpsd nor start it.
  @Test("the check does not connect to gpsd") func nobodyConnects() {
    let control = FakeGpsdControl()
    _ = GpsdDiagnosis.finding(settings(control.path))
    #expect(control.request(within: 0) == nil)
  }
}
