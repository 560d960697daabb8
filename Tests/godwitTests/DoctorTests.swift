import Foundation
import Glibc
import GodwitSettings
import Hardware
import Core
import GNSS
import ReceiverStandIns
import Store
import TestSupport
import Testing

@testable import godwit

@Suite struct DoctorTests {
  static let program = BuiltProgram.path("godwit")

  /// An existing group.
  static let group = String(cString: getgrgid(getegid())!.pointee.gr_name)

  private let scratch: ScratchFolder
  var folder: String { scratch.path }

  init() throws { scratch = try ScratchFolder() }

  func arguments(_ settings: [String], listen: Int = 10) -> [String] {
    let all = settings + ["control.group=\(Self.group)", "control.socket=\(folder)/control.sock"]
    return ["doctor", "--json", "--listen", "\(listen)", "--store", "\(folder)/store.gpkg"]
      + all.flatMap { ["--set", $0] }
  }

  /// The doctor's findings for a receiver that sends these bursts.
  func examine(
    _ settings: [String], line: Pseudoterminal, baud: Int = 9600, bursts: some Sequence<[UInt8]>,
    listen: Int = 10
  ) throws -> (code: Int32?, verdicts: [String: String], text: String) {
    let all = settings + ["receiver.device=\(line.link)"]
    let doctor = try #require(ChildProcess(Self.program, arguments(all, listen: listen)))
    Speaker(line, baud: baud).speak(bursts, period: 0.2) { readable(doctor.ended, within: 0) }
    let code = doctor.exitCode(within: 20)
    let text = doctor.text
    // Standard error is in the same pipe, before it.
    let object = try #require(text.split(separator: "\n").first { $0.hasPrefix("{") })
    let json = try JSONValue(parsing: String(object))
    var verdicts: [String: String] = [:]
    for check in json["checks"]?.array ?? [] {
      let part = try #require(check["part"]?.string)
      verdicts[part] = check["verdict"]?.string
    }
    return (code, verdicts, text)
  }

  @Test("a healthy receiver passes") func healthyReceiverPasses() throws {
    let bursts = (0..<60).map { NMEAText.fix(time: "1200\(10 + $0 % 50)", date: "010127") }
    let result = try examine([], line: Pseudoterminal(), bursts: bursts)
    #expect(result.code == 0, "\(result.text)")
    for part in ["settings", "store", "control", "receiver.line", "receiver.bytes", "receiver.fix"]
    {
      #expect(result.verdicts[part] == "ok", "\(result.text)")
    }
    #expect(result.text.contains("8 satellites used"))
  }

  @Test("a searching receiver is a warning") func searchingReceiverIsToBeLookedAt() throws {
    let bursts = (0..<60).map { NMEAText.search(time: "1200\(10 + $0 % 50)", date: "010127") }
    let result = try examine([], line: Pseudoterminal(), bursts: bursts, listen: 2)
    #expect(result.code == 0)
    #expect(result.verdicts["receiver.bytes"] == "ok")
    #expect(result.verdicts["receiver.fix"] == "warn")
    #expect(result.text.contains("3 satellites in view"))
  }

  @Test("nonsense bytes fail, with the setting of the speed")
  func garbageFailsWithTheLikelyCauses() throws {
    let bursts = repeatElement([UInt8](repeating: 0x80, count: 100), count: 60)
    let result = try examine(
      ["receiver.baud=4800"], line: Pseudoterminal(), bursts: bursts, listen: 2)
    #expect(result.code == 1)
    #expect(result.verdicts["receiver.bytes"] == "fail")
    #expect(result.text.contains("receiver.baud = 0"))
  }

  @Test(
    "a device that is no receiver is shown, with its known properties",
    arguments: [
      ("\r\n+CGPSINFO: ,,,,,,,,\r\n\r\nOK\r\n", "a modem's answer to AT commands"),
      ("\r\nDebian GNU/Linux 13 board ttyS0\r\n\r\nboard login: ", "log-in prompt"),
      ("temperature 21.5\r\n", "not from a receiver: \\\"temperature 21.5"),
    ])
  func otherSpeakers(text: String, told: String) throws {
    let result = try examine(
      ["receiver.baud=9600"], line: Pseudoterminal(),
      bursts: repeatElement(Array(text.utf8), count: 60), listen: 2)
    #expect(result.code == 1)
    #expect(result.verdicts["receiver.bytes"] == "fail")
    #expect(result.text.contains(told), "\(result.text)")
  }

  @Test("the receiver's antenna status is reported") func antenna() throws {
    for (body, verdict) in [
      ("GPTXT,01,01,01,ANTENNA OPEN", "warn"), ("GPTXT,01,01,01,ANTSTATUS=SHORT", "warn"),
      ("GPTXT,01,01,01,ANTENNA OK", nil), ("PGTOP,11,1", "warn"),
      ("PQTMANTENNASTATUS,2,2,2,2,2", "warn"),
    ] {
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      let line = Array("$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n".utf8)
      let bursts = (0..<60).map { NMEAText.fix(time: "1200\(10 + $0 % 50)", date: "010127") + line }
      let result = try examine([], line: Pseudoterminal(), bursts: bursts)
      #expect(result.verdicts["receiver.antenna"] == verdict, "\(result.text)")
    }
  }

  @Test("a silent receiver fails") func silenceFails() throws {
    let result = try examine(
      [], line: Pseudoterminal(), bursts: repeatElement([], count: 60), listen: 1)
    #expect(result.code == 1)
    #expect(result.verdicts["receiver.bytes"] == "fail")
    #expect(result.text.contains("nothing arrived"))
  }

  @Test("a line that another program reads is left alone")
  func lineThatSomebodyElseReadsIsLeftAlone() throws {
    let line = Pseudoterminal()
    let other = open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    defer { close(other) }
    let result = try examine([], line: line, bursts: repeatElement([], count: 60))
    #expect(result.code == 1)
    #expect(result.verdicts["receiver.line"] == "fail")
    #expect(result.text.contains("(process \(getpid()))"))
  }

  @Test("a missing GPIO line fails with its setting")
  func aLineThatIsNotThereFails() throws {
    let settings = [
      "receiver.kind=none", "power_switch.kind=gpio", "power_switch.supply=no-such-chip:0",
      "power_switch.wake=GNSS_WAKE_OF_NO_BOARD",
    ]
    let doctor = try #require(ChildProcess(Self.program, arguments(settings)))
    #expect(doctor.exitCode() == 1)
    #expect(doctor.text.contains("switch.supply"))
    #expect(doctor.text.contains("switch.wake"))
    #expect(doctor.text.contains("power_switch.supply = \\\"no-such-chip:0\\\""))
  }

  @Test("unusable settings end with code 2 and a suggestion")
  func settingsThatCannotBeUsedEndWithCode2() throws {
    let doctor = try #require(ChildProcess(Self.program, arguments(["receiver.bauds=1"])))
    #expect(doctor.exitCode() == 2)
    #expect(doctor.text.contains("did you mean receiver.baud?"))
  }

  @Test(
    "a receiver behind gpsd passes",
    .enabled(
      if: GpsdProcess.isInstalled,
      "SKIPPED: gpsd is not installed, so the doctor does not meet it; apt-get install gpsd"))
  func receiverBehindGpsdPasses() throws {
    let line = Pseudoterminal()
    let port = FakeGpsd.freePort()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    let settings = ["receiver.kind=gpsd", "receiver.host=localhost", "receiver.port=\(port)"]
    let bursts = (0..<150).map { NMEAText.fix(time: "1200\(10 + $0 % 50)", date: "010127") }
    let result = try withExtendedLifetime(gpsd) {
      try examine(settings, line: line, bursts: bursts, listen: 30)
    }
    #expect(result.code == 0, "\(result.text)")
    #expect(result.verdicts["receiver.fix"] == "ok", "\(result.text)")
    #expect(result.text.contains("gpsd at localhost:\(port)"))
  }

  @Test("a missing gpsd fails, with how to start it")
  func gpsdThatIsNotThereFails() throws {
    let settings = [
      "receiver.kind=gpsd", "receiver.host=127.0.0.1", "receiver.port=\(FakeGpsd.freePort())",
    ]
    let doctor = try #require(ChildProcess(Self.program, arguments(settings)))
    #expect(doctor.exitCode() == 1)
    #expect(doctor.text.contains("systemctl start gpsd"))
  }

  @Test("the clock is compared with the earliest date and with the receiver's")
  func clockIsMeasuredAgainstTheFloorAndTheReceiver() {
    let floor = UTCInstant(seconds: 1_767_225_600)
    let now = floor + .days(30)
    func verdict(_ clock: UTCInstant, _ lag: Seconds?) -> Finding {
      ClockDiagnosis.finding(clock: clock, receiver: lag, floor: floor)
    }
    #expect(verdict(now, nil).verdict == .ok)
    #expect(verdict(now, 0.8).verdict == .ok)
    #expect(verdict(UTCInstant(seconds: 3), nil).verdict == .warn)
    #expect(verdict(now, 90).text.contains("90 s behind"))
    #expect(verdict(now, -90).text.contains("90 s ahead of"))
  }

  @Test("the store is checked at its future place") func storeIsLookedAtWhereItWillBe() throws {
    let settings = Settings().store
    func finding(_ path: String, free: Int = 0) -> Finding {
      var settings = settings
      settings.retention.minimumFree = free
      return StoreDiagnosis.finding(settings, path: path)
    }
    #expect(finding("\(folder)/store.gpkg").verdict == .ok)
    #expect(finding("\(folder)/missing/store.gpkg").text.contains("does not exist; create it"))
    let own = StoreDiagnosis.missing("/var/lib/godwit")
    #expect(own.verdict == .warn && own.text.contains("systemd creates it"))
    #expect(finding("\(folder)/store.gpkg", free: .max).text.contains("store.min_free_MB"))
    #expect(!finding("\(folder)/store.gpkg", free: .max).text.contains("delete"), "none is there")
    let big = "\(folder)/big.gpkg"
    #expect(
      FileManager.default.createFile(atPath: big, contents: nil) && truncate(big, 8 << 20) == 0)
    #expect(finding(big, free: .max).text.contains("the daemon will delete the oldest records"))
    let lock = try StoreLock(path: big)
    #expect(finding(big, free: .max).text.contains("the oldest records are being deleted"))
    lock.release()
    let file = try #require(fopen("\(folder)/store.gpkg", "we"))
    fputs(String(repeating: "not an SQLite file\n", count: 100), file)
    fclose(file)
    #expect(finding("\(folder)/store.gpkg").verdict == .fail)
  }

  @Test("a store that `store check` fails is not called sound")
  func storeIsCheckedAsACheckDoes() throws {
    let path = "\(folder)/store.gpkg"
    try GeoPackageStore(path: path).close()
    func finding() -> Finding { StoreDiagnosis.finding(Settings().store, path: path) }
    #expect(finding().verdict == .ok)
    for change in [
      "CREATE TRIGGER t AFTER INSERT ON track_points BEGIN SELECT 1; END",
      "DROP TRIGGER t; DROP TRIGGER track_points_noted",
    ] {
      #expect(try run("sqlite3", path, change).status == 0)
      let found = finding()
      #expect(found.verdict == .fail && found.text.contains("trigger t"), "\(found)")
      #expect(found.text.contains("run `godwit store repair --store \(path)`"), "\(found)")
    }
  }

  @Test("the path of the socket must be a socket") func socketsPathMustBeOne() throws {
    var settings = Settings().control
    settings.group = Self.group
    settings.socket = "\(folder)/left"
    do {
      let daemon = try ListeningSocket(settings.socket)
      #expect(ControlDiagnosis.finding(settings).verdict == .ok)
      withExtendedLifetime(daemon) {}
    }
    #expect(ControlDiagnosis.finding(settings).text.contains("a daemon that crashed"))
    settings.socket = "\(folder)/not-a-socket"
    #expect(ControlDiagnosis.finding(settings).verdict == .ok)
    let file = try #require(fopen(settings.socket, "we"))
    fclose(file)
    #expect(ControlDiagnosis.finding(settings).verdict == .fail)
    settings.socket = "\(folder)/missing/socket"
    #expect(ControlDiagnosis.finding(settings).verdict == .warn)
    settings.group = "no-such-group"
    #expect(ControlDiagnosis.finding(settings).text.contains("no-such-group"))
  }
}

@Suite struct SwitchDiagnosisTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  func parameter(_ driver: String, _ text: String) throws {
    let folder = "\(scratch.path)/\(driver)/parameters"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/persist_gpio_outputs"))
  }

  @Test("the kernel version decides whether lines keep their level")
  func theKernelIsAskedWhetherLinesStay()
    throws
  {
    try parameter("pinctrl_bcm2835", "Y\n")
    try parameter("pinctrl_rp1", "N\n")
    func kept(_ label: String) -> Bool? {
      LinePersistence.kept(chip: label, modules: scratch.path)
    }
    #expect(kept("pinctrl-bcm2711") == true)
    #expect(kept("pinctrl-bcm2835") == true)
    #expect(kept("pinctrl-rp1") == false)
    #expect(kept("pcf8574") == nil)
    #expect(kept("") == nil)
    try parameter("pinctrl_bcm2835", "")
    #expect(kept("pinctrl-bcm2711") == nil)
    #expect(LinePersistence.kept(chip: "pinctrl-rp1", modules: "/nowhere") == nil)
  }

  @Test("an on_exit that the kernel undoes is a warning")
  func aPolicyThatTheKernelUndoesIsToBeLookedAt() {
    var settings = Settings().powerSwitch
    #expect(SwitchDiagnosis.afterwards(settings, isKept: true).verdict == .ok)
    #expect(SwitchDiagnosis.afterwards(settings, isKept: false).verdict == .ok)
    settings.onExit = .keep
    #expect(SwitchDiagnosis.afterwards(settings, isKept: true).verdict == .ok)
    let finding = SwitchDiagnosis.afterwards(settings, isKept: false)
    #expect(finding.verdict == .warn)
    #expect(finding.text.contains("power_switch.on_exit = \"keep\""))
  }
}

@Suite struct MotionDiagnosisTests {
  @Test("a board without a motion sensor has nothing to check") func withoutALineNothingIsSaid() {
    #expect(MotionSensor.findings(MotionSettings()).isEmpty)
    #expect(ExternalPower.finding(ExternalPowerSettings()) == nil)
  }

  @Test("a missing line fails with its setting") func aMissingLineFails() throws {
    let folder = try ScratchFolder()
    var settings = MotionSettings()
    settings.line = try GpioLine(parsing: "ACCEL_INT1")
    let finding = MotionSensor.findings(settings, devices: folder.path).first
    #expect(finding?.part == "motion" && finding?.verdict == .fail)
    #expect(finding?.text.contains("motion.line = \"ACCEL_INT1\": there is no GPIO chip") == true)
  }

  @Test("a missing accelerometer fails, and so does a supply")
  func aMissingDeviceFails() throws {
    let folder = try ScratchFolder()
    var settings = MotionSettings()
    settings.accelerometer = "auto"
    let finding = MotionSensor.findings(settings, sysfs: folder.path).first
    #expect(finding?.part == "motion" && finding?.verdict == .fail)
    var power = ExternalPowerSettings()
    power.supply = "usb"
    let supply = ExternalPower.finding(power, sysfs: folder.path)
    #expect(supply?.part == "external_power" && supply?.verdict == .fail)
    #expect(supply?.text.contains("no such power supply") == true)
  }

  @Test("a line that is free, in use by the daemon, or by another, is distinguished")
  func theHolderDecides() {
    var check = LineCheck(problem: "in use by gpiomon")
    #expect(check.finding("motion", written: "X").verdict == .fail)
    check.problem = nil
    check.resolved = "soc:6 on gpiochip0"
    check.isFree = true
    #expect(check.finding("motion", written: "X").text == "X is soc:6 on gpiochip0, and free")
    check.isOurs = true
    #expect(check.finding("motion", written: "X").text.contains("in use by the daemon"))
  }
}
