import Glibc
import Core
import GNSS
import ReceiverStandIns
import TestSupport
import Testing

@testable import godwit

/// `godwit gnss probe` on lines with receivers that answer as recorded.
@Suite struct ProbeCommandTests {
  static let program = BuiltProgram.path("godwit")
  static let monVER = hex("b5620a0400000e34")

  /// UBX-MON-VER of an M10, as recorded.
  static let m10: [UInt8] = {
    let field = { (text: String, length: Int) in
      Array(text.utf8) + [UInt8](repeating: 0, count: length - text.utf8.count)
    }
    let payload =
      field("ROM SPG 5.10 (7b202e)", 30) + field("000A0000", 10) + field("FWVER=SPG 5.10", 30)
      + field("PROTVER=34.10", 30) + field("GPS;GLO;GAL;BDS", 30) + field("SBAS;QZSS", 30)
    let body = [0x0a, 0x04, UInt8(payload.count), 0] + payload
    var sums: (UInt8, UInt8) = (0, 0)
    for byte in body {
      sums.0 &+= byte
      sums.1 &+= sums.0
    }
    return [0xb5, 0x62] + body + [sums.0, sums.1]
  }()

  static func hex(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
    }
  }

  static func line(_ text: String) -> [UInt8] { Array((text + "\r\n").utf8) }

  struct Outcome {
    var code: Int32?
    var json: JSONValue?
    var text: String
  }

  /// The program's result for this receiver.
  func probe(
    _ receiver: AnsweringReceiver, _ line: Pseudoterminal, _ settings: [String] = [],
    listen: Int = 15,
    bursts: [[UInt8]] = (0..<200).map {
      NMEAText.fix(time: "1200\(10 + $0 % 50)", date: "010127")
    }
  ) throws -> Outcome {
    let all = settings + ["receiver.device=\(line.link)"]
    let arguments =
      ["gnss", "probe", "--json", "--listen", "\(listen)"] + all.flatMap { ["--set", $0] }
    let child = try #require(ChildProcess(Self.program, arguments))
    receiver.speak(bursts, period: 0.2) { readable(child.ended, within: 0) }
    return try outcome(child)
  }

  func outcome(_ child: ChildProcess) throws -> Outcome {
    let code = child.exitCode(within: 20)
    let text = child.text
    let object = text.split(separator: "\n").first { $0.hasPrefix("{") }
    return Outcome(code: code, json: try object.map { try JSONValue(parsing: $0) }, text: text)
  }

  /// An M10 at 38,400 baud: the speed is found, one query is sent, and its abilities are reported.
  @Test("an M10 is identified at a speed that is not in the settings")
  func unknownSpeed() throws {
    let line = Pseudoterminal()
    let receiver = AnsweringReceiver(line, baud: 38_400, answers: [(Self.monVER, Self.m10)])
    let result = try probe(receiver, line)
    #expect(result.code == 0, "\(result.text)")
    let json = try #require(result.json)
    #expect(json["family"]?.string == "ubloxM10" && json["certain"]?.bool == true)
    #expect(json["baud"]?.integer == 38_400 && json["firmware"]?.string == "SPG 5.10")
    #expect(json["protocol_version"]?.string == "34.10" && json["chip"]?.string == "000A0000")
    #expect(json["sleep_methods"]?.array?.first?["method"]?.string == "ubxBackup16")
    #expect(
      json["dumps_navigation_data"]?.bool == true
        && json["saves_navigation_data"]?.bool == false)
    #expect(
      json["settings"]?.array?.compactMap(\.string) == [
        "receiver.family = \"ubloxM10\"", "receiver.baud = 38400",
        "power_switch.kind = \"command\"",
      ], "what can sleep by its own command needs no wire")
    let lines = json["settings"]?.array?.compactMap(\.string) ?? []
    let assignments = lines.flatMap {
      ["--set", $0.replacing(" = ", with: "=").replacing("\"", with: "")]
    }
    let check = try Program.run(["config", "check"] + assignments)
    #expect(check.exitCode == 0, "\(check.messages)")
    // A pseudo-terminal echoes until it is opened.
    #expect(receiver.asked == [0] && receiver.received.suffix(8) == Self.monVER[...])
    #expect(json["signal_strengths"]?.string == "not reported")
  }

  @Test("a receiver that sends GSV reports signal strengths") func signalStrengthsOfGSV() throws {
    let line = Pseudoterminal()
    let receiver = AnsweringReceiver(line, baud: 9600, answers: [(Self.monVER, Self.m10)])
    let bursts = (10..<60).map { NMEAText.search(time: "1200\($0)", date: "010127") }
    let result = try probe(receiver, line, ["receiver.baud=9600"], bursts: bursts)
    #expect(result.code == 0, "\(result.text)")
    #expect(result.json?["signal_strengths"]?.string == "reported", "\(result.text)")
  }

  @Test("a MediaTek receiver at a known speed is identified") func mediatekAtAKnownSpeed() throws {
    let line = Pseudoterminal()
    let receiver = AnsweringReceiver(
      line, baud: 9600,
      answers: [
        (
          Self.line("$PMTK605*31"),
          Self.line("$PMTK705,AXN_5.1.7_3333_19020118,0027,PA1010D,1.0*76")
        )
      ])
    let result = try probe(receiver, line, ["receiver.baud=9600"])
    #expect(result.code == 0, "\(result.text)")
    #expect(result.json?["family"]?.string == "mediatek")
    #expect(result.json?["model"]?.string == "PA1010D")
    // UBX was sent twice before, and PAIR and PCAS never.
    let sent = Self.monVER + Self.monVER + Self.line("$PMTK605*31")
    #expect(receiver.received.suffix(sent.count) == sent[...])
  }

  @Test("a CASIC receiver is identified") func casic() throws {
    let line = Pseudoterminal()
    let receiver = AnsweringReceiver(
      line, baud: 9600,
      answers: [
        (Self.line("$PCAS06,0*1B"), Self.line("$GPTXT,01,01,02,SW=URANUS5,V5.3.0.0*1D")),
        (Self.line("$PCAS06,1*1A"), Self.line("$GPTXT,01,01,02,HW=ATGM336H,0004090746370*1E")),
      ])
    let result = try probe(receiver, line, ["receiver.baud=9600"])
    #expect(result.code == 0, "\(result.text)")
    #expect(result.json?["family"]?.string == "casic")
    #expect(result.json?["model"]?.string == "ATGM336H")
    #expect(receiver.asked == [0, 1])
  }

  @Test("a silent line fails with its setting, and nothing is sent") func silenceFails() throws {
    let line = Pseudoterminal()
    let arguments = ["--listen", "1", "--set", "receiver.device=\(line.link)"]
    let child = try #require(ChildProcess(Self.program, ["gnss", "probe"] + arguments))
    let result = try outcome(child)
    #expect(result.code == 1 && result.text.contains("receiver.device"), "\(result.text)")
    // Nothing is sent at an unknown speed.
    #expect(line.received().isEmpty)
  }

  @Test("a line in use is left alone, and its user is named") func aLineInUseIsLeftAlone() throws {
    let line = Pseudoterminal()
    let other = open(line.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    defer { close(other) }
    let result = try Program.run("gnss", "probe", "--set", "receiver.device=\(line.link)")
    #expect(result.exitCode == 1 && result.messages.contains("(process \(getpid()))"))
    #expect(line.received().isEmpty)
  }

  @Test("settings without a receiver are refused") func settingsWithoutReceiver() throws {
    let none = try Program.run("gnss", "probe", "--set", "receiver.kind=none")
    #expect(none.exitCode == 2 && none.messages.contains("receiver.kind"))
    let missing = try Program.run("gnss", "probe", "--set", "receiver.device=/dev/nowhere")
    #expect(missing.exitCode == 1 && missing.messages.contains("/dev/nowhere"))
    let refused = try Program.run("gnss", "probe", "--listen", "0")
    #expect(refused.exitCode == 2)
  }

  /// gpsd reports the device first, and its identification later.
  @Test("a receiver behind gpsd is identified") func behindGpsd() throws {
    let gpsd = FakeGpsd()
    let settings = ["receiver.kind=gpsd", "receiver.host=localhost", "receiver.port=\(gpsd.port)"]
    let arguments = ["gnss", "probe", "--json"] + settings.flatMap { ["--set", $0] }
    let child = try #require(ChildProcess(Self.program, arguments))
    try #require(gpsd.accept())
    gpsd.say(FakeGpsd.banner)
    #expect(gpsd.heard(until: ";").contains("WATCH"))
    gpsd.say(
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0","activated":0}]}"#
        + "\r\n" + FakeGpsd.watching)
    gpsd.say(
      #"{"class":"DEVICE","path":"/dev/ttyS0","driver":"u-blox","#
        + #""subtype":"SW EXT CORE 3.01 (86c0ce),HW 00080000","#
        + #""subtype1":"ROM BASE 3.01 (107888),FWVER=ADR 4.50,PROTVER=19.20,MOD=NEO-M8L-0","#
        + #""activated":"2024-01-30T15:31:52.010Z","bps":9600}"# + "\r\n")
    let result = try outcome(child)
    #expect(result.code == 0, "\(result.text)")
    #expect(result.json?["family"]?.string == "ubloxM8")
    #expect(result.json?["model"]?.string == "NEO-M8L-0")
    #expect(result.json?["devices"]?.array?.count == 1)
    #expect(
      result.json?["settings"]?.array?.compactMap(\.string) == [
        "receiver.family = \"ubloxM8\"", "power_switch.kind = \"command\"",
      ])
  }

  /// Debian's gpsd queries the receiver itself; its result is reported.
  @Test(
    "a receiver behind a real gpsd is identified",
    .enabled(
      if: GpsdProcess.isInstalled,
      "SKIPPED: gpsd is not installed, so it is not asked for its receiver; apt-get install gpsd"))
  func behindRealGpsd() throws {
    let line = Pseudoterminal()
    let port = FakeGpsd.freePort()
    let gpsd = try #require(GpsdProcess(port: port, device: line.path))
    // gpsd leaves a pseudo-terminal at its present speed.
    let receiver = AnsweringReceiver(line, baud: 38_400, answers: [(Self.monVER, Self.m10)])
    let settings = ["receiver.kind=gpsd", "receiver.host=localhost", "receiver.port=\(port)"]
    let result = try withExtendedLifetime(gpsd) { try probe(receiver, line, settings) }
    #expect(result.code == 0, "\(result.text)")
    #expect(result.json?["family"]?.string == "ubloxM10", "\(result.text)")
  }

  /// The table says what to do when there was no answer.
  @Test("an unknown receiver has its table") func tableOfAnUnknownReceiver() {
    var result = ReceiverIdentificationRun.Result(line: "/dev/ttyS0 at 9600 baud")
    result.baud = 9600
    result.protocols = .nmea
    result.queries = [.ubxVersion, .mtkRelease]
    result.answered = [.mtkRelease]
    let text = ProbeReport(result: result, powerSwitch: .gpio).text
    #expect(text.contains("line       /dev/ttyS0 at 9600 baud, NMEA\n"))
    #expect(text.contains("receiver   unknown\n") && text.contains("TX is wired"))
    #expect(text.contains("UBX-MON-VER (no answer), PMTK605 (answered)\n"))
    #expect(text.hasSuffix("\nsettings   receiver.baud = 9600"))
  }

  @Test("the table and the JSON say whether signal strengths are reported")
  func signalStrengthsAreTold() throws {
    let told: [(ReceiverIdentificationRun.SignalReports, text: String, json: String?)] = [
      (.reported, "strengths reported", "reported"),
      (
        .toBeRequested, "strengths not reported: the daemon requests them",
        "requested by the daemon"
      ),
      (
        .missing, "strengths not reported: only time limits end a search", "not reported"
      ),
      (.unknown, "strengths unknown: no epoch was received", nil),
    ]
    for (signals, text, json) in told {
      var result = ReceiverIdentificationRun.Result(line: "/dev/ttyS0 at 9600 baud")
      result.signals = signals
      let report = ProbeReport(result: result, powerSwitch: .gpio)
      #expect(report.text.contains("\nsignals    \(text)"))
      #expect(try JSONValue(parsing: report.json[...])["signal_strengths"]?.string == json)
    }
  }
}
