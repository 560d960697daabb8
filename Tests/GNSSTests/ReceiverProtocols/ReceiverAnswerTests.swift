import Core
import TestSupport
import Testing

@testable import GNSS

/// Received bytes and their answers.
@Suite struct ReceiverAnswerTests {
  /// The last four bytes of the frames as recorded; the padding is original.
  @Test("the recorded frames are whole") func recordedFramesAreWhole() {
    #expect(Transcript.neoM9N.suffix(4) == [0, 0, 0x1e, 0x7a])
    #expect(Transcript.zedF9P.suffix(4) == [0, 0, 0xce, 0x8b])
    #expect(Transcript.neoM9N.count == 228)
  }

  @Test("MON-VER gives software, hardware and extensions; its poll gives nothing")
  func monVERTellsTheVersions() {
    #expect(
      Transcript.answers(Transcript.neoM9N) == [
        .ubxVersion(
          UBXVersion(
            software: "EXT CORE 4.04 (7f89f7)", hardware: "00190000",
            extensions: [
              "ROM BASE 0x118B2060", "FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N",
              "GPS;GLO;GAL;BDS", "SBAS;QZSS",
            ]))
      ])
    // Polls from another program, in a recording of both directions.
    let poll = Transcript.answers(UBXCommand.pollVersion)
    #expect(poll.isEmpty)
  }

  @Test("acknowledgements identify the command that was accepted or refused")
  func acknowledgementsTellTheResult() {
    #expect(
      Transcript.answers(Hex.bytes("b562 0501 0200 068a 98c1 b562 0500 0200 068a 97bc")) == [
        .ubxAcknowledgement(.init(isAccepted: true, messageClass: 6, messageID: 0x8a)),
        .ubxAcknowledgement(.init(isAccepted: false, messageClass: 6, messageID: 0x8a)),
      ])
    #expect(
      Transcript.answers(
        "$PMTK001,161,3*36", "$PMTK001,225,3*35", "$PMTK001,424,1*30", "$PMTK001,838,3,1*2E",
        "$PAIR001,020,0*39", "$PAIR001,650,4*3C") == [
          .mtkAcknowledgement(.init(command: 161, result: .done)),
          .mtkAcknowledgement(.init(command: 225, result: .done)),
          .mtkAcknowledgement(.init(command: 424, result: .unsupported)),
          .mtkAcknowledgement(.init(command: 838, result: .done)),
          .pairAcknowledgement(.init(command: 20, result: .done)),
          .pairAcknowledgement(.init(command: 650, result: .badParameter)),
        ])
  }

  @Test("a receiver reports whether it is awake") func readinessIsTold() {
    #expect(
      Transcript.answers(Hex.bytes("b562 0a21 0100 00 2cb9 b562 0a21 0100 01 2dba")) == [
        .ubxReadiness(isAwake: false), .ubxReadiness(isAwake: true),
      ])
  }

  @Test("every answer about saved navigation data is reported, and no command is")
  func everyBackupAnswerIsTold() {
    let answers = { (command: UInt8, response: UInt8) in
      Transcript.answers(UBX.frame(0x09, 0x14, [command, 0, 0, 0, response, 0, 0, 0]))
    }
    #expect(answers(2, 1) == [.navigationDataBackup(.saved)])
    #expect(answers(2, 0) == [.navigationDataBackup(.notSaved)])
    #expect(answers(3, 2) == [.navigationDataBackup(.restored)])
    #expect(answers(3, 3) == [.navigationDataBackup(.nothingToRestore)])
    #expect(answers(3, 1) == [.navigationDataBackup(.restoringFailed)])
    #expect(answers(3, 0) == [.navigationDataBackup(.unknown)])
    #expect(answers(2, 9) == [])
    // The commands themselves are not answers.
    #expect(Transcript.answers(UBXAssistance.saveNavigationData) == [])
  }

  @Test("navigation data goes back to the receiver unchanged")
  func navigationDataComesBackAsItCame() throws {
    var random = SplitMix(seed: 5)
    for length in [12, 13, 100, 176, NavigationDataMessage.maxPayloadSize] {
      let frame = UBX.frame(0x13, 0x80, random.bytes(length))
      guard case .navigationData(let data)? = Transcript.answers(frame).first else {
        Issue.record("no navigation data of \(length) bytes")
        continue
      }
      #expect(data.frame == frame)
      #expect(ReceiverCommands(family: .ubloxM10).restore(data) == frame)
    }
    #expect(Transcript.answers(UBX.frame(0x13, 0x80, random.bytes(257))) == [])
    #expect(NavigationDataMessage(payload: []) == nil)
  }

  @Test("an acknowledgement shows whether assistance is used") func usedAssistanceIsTold() {
    // Accepted MGA-INI (0x40).
    #expect(
      Transcript.answers(UBX.frame(0x13, 0x60, [1, 0, 0, 0x40, 0x10, 0, 0, 0x80])) == [
        .assistance(.init(isUsed: true, reason: 0, messageID: 0x40))
      ])
  }

  @Test("MediaTek and Airoha report versions, starts and requests")
  func versionsStartsAndRequestsAreTold() {
    #expect(
      Transcript.answers(
        "$PMTK011,MTKGPS*08", "$PMTK010,001*2E", "$PMTK010,002*2D",
        "$PMTK705,AXN_5.1.7_3333_19020118,0027,PA1010D,1.0*76",
        "$PMTK705,AXN_3.8_3333_16042118,0000,V3.8.1 GP+GL,*6F") == [
          .mtkText("MTKGPS"), .mtkStartup(1), .mtkStartup(2),
          .mtkVersion(
            .init(release: "AXN_5.1.7_3333_19020118", build: "0027", product: "PA1010D")),
          .mtkVersion(
            .init(release: "AXN_3.8_3333_16042118", build: "0000", product: "V3.8.1 GP+GL")),
        ])
    #expect(
      Transcript.answers(
        "$PAIR020,AG3352Q_V2.5.0.AG3352_20230420,S,N,9ec1cc8,2210141406,2ba,3,,,5bebcf5b,"
          + "2210141404,72555ce,2210141406,,*17",
        "$PAIR010,0,0,2044,369413*33", Line.withChecksum("PAIR010,1,-1")) == [
          .pairVersion(.init(chip: "AG3352Q", firmware: "V2.5.0.AG3352_20230420")),
          .pairRequest(.predictedOrbits), .pairRequest(.time),
        ])
  }

  /// Warnings repeated every second are not answers, except the one about the antenna.
  @Test("notices and the antenna state are reported, other warnings are not")
  func onlyNoticesAreHandedOut() {
    #expect(
      Transcript.answers(
        "$GPTXT,01,01,02,u-blox ag - www.u-blox.com*50", "$GPTXT,01,01,01,ANTENNA OK*35",
        "$GNTXT,01,01,00,txbuf alloc*61", "$GPTXT,01,01,02,SW=URANUS5,V5.3.0.0*1D",
        "$GPTXT,01,01,01,NMEA unknown msg*58") == [
          .notice("u-blox ag - www.u-blox.com"), .antenna(.good), .notice("SW=URANUS5,V5.3.0.0"),
        ])
    #expect(
      Transcript.answers(
        Line.withChecksum("PGTOP,11,1"), Line.withChecksum("PGTOP,11,3"),
        Line.withChecksum("PGTOP,11,0"),
        Line.withChecksum("PGTOP,12,1"), Line.withChecksum("PQTMANTENNASTATUS,2,2,2,2,2"),
        Line.withChecksum("PQTMANTENNASTATUS,3,1,2,1"),
        Line.withChecksum("PQTMANTENNASTATUS,3,0,1,2"),
        Line.withChecksum("PQTMANTENNASTATUS,2,3"), Line.withChecksum("PQTMANTENNASTATUS,OPEN"),
        Line.withChecksum("PQTMANTENNASTATUS,")) == [
          .antenna(.short), .antenna(.good), .antenna(.open), .antenna(.good), .antenna(.short),
          .antenna(.open),
        ])
    let frame = Hex.bytes("b562 0402 1a00") + Array("u-blox AG - www.u-blox.com".utf8)
    #expect(
      Transcript.answers(frame + [0xe3, 0x9c]) == [.notice("u-blox AG - www.u-blox.com")])
  }

  @Test("gpsd reports its version, its devices and its errors")
  func gpsdTellsVersionDevicesAndErrors() {
    let answers = Transcript.answers(
      #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyM8U","driver":"u-blox","#
        + #""subtype":"SW EXT CORE 3.01 (86c0ce),HW 00080000","subtype1":"ROM BASE 3.01 (107888),"#
        + #"FWVER=ADR 4.50,PROTVER=19.20,MOD=NEO-M8L-0","activated":"2024-01-30T15:31:52.010Z","#
        + #""flags":1,"native":1,"bps":9600,"parity":"N","stopbits":1}]}"#,
      #"{"class":"DEVICE","path":"/dev/ttyM8U","activated":0}"#,
      #"{"class":"ERROR","message":"Unrecognized request"}"#)
    #expect(
      answers == [
        .gpsdVersion("3.25"),
        .gpsdDevice(
          GpsdDevice(
            path: "/dev/ttyM8U", driver: "u-blox",
            subtype: "SW EXT CORE 3.01 (86c0ce),HW 00080000",
            subtype1: "ROM BASE 3.01 (107888),FWVER=ADR 4.50,PROTVER=19.20,MOD=NEO-M8L-0",
            baud: 9600, isActive: true)),
        .gpsdDevice(
          GpsdDevice(
            path: "/dev/ttyM8U", driver: nil, subtype: nil, subtype1: nil, baud: nil,
            isActive: false)), .gpsdError("Unrecognized request"),
      ])
  }

  @Test("malformed answers are counted and ignored") func malformedOnesAreCountedAndIgnored() {
    let sentences = [
      "PMTK001,,3", "PMTK001,161", "PMTK001,161,9", "PMTK001,99999,3", "PMTK001,-1,3",
      "PMTK705,,0", "PMTK705,AXN", "PMTK010,", "PMTK010,x", "PAIR001,650", "PAIR001,650,6",
      "PAIR020,AG3352Q", "PAIR020,_", "PAIR010,3", "GPTXT,01", "GPTXT,01,01,,text", "GPTXT,",
    ]
    let (_, counters) = Line.decoded(Array(sentences.map(Line.withChecksum).joined().utf8))
    #expect(counters.answers == 0)
    // `PMTK010,` is no longer than an address.
    #expect(counters.malformedFields + counters.unknownSentences == UInt64(sentences.count))
    #expect(counters.malformedFields >= UInt64(sentences.count - 1))
  }

  /// Text from a receiver must not reach a terminal unfiltered.
  @Test("a receiver's texts are made safe for a terminal") func textsAreMadeSafe() {
    let escape = Transcript.answers(UBX.frame(0x04, 0x02, [0x1b, 0x5b, 0x32, 0x4a, 0xff, 0x20]))
    #expect(escape == [.notice("?[2J?")])
    let long = Transcript.answers(UBX.frame(0x04, 0x02, [UInt8](repeating: 0x41, count: 4000)))
    #expect(long == [.notice(String(repeating: "A", count: 128))])
  }

  /// gpsd is queried over a socket, where any program may answer.
  @Test("hostile reports of devices are limited and ignored")
  func hostileReportsAreBounded() {
    let device = #"{"path":"/dev/a","driver":5,"subtype":[],"bps":1e300,"activated":{}}"#
    let many = [String](repeating: device, count: 150).joined(separator: ",")
    let answers = Transcript.answers(#"{"class":"DEVICES","devices":[\#(many)]}"#)
    #expect(answers.count == 32)
    let bare = GpsdDevice(
      path: "/dev/a", driver: nil, subtype: nil, subtype1: nil, baud: nil, isActive: true)
    #expect(answers.first == .gpsdDevice(bare))
    #expect(Transcript.answers(#"{"class":"DEVICES","devices":{"path":"a"}}"#) == [])
    #expect(Transcript.answers(#"{"class":"DEVICE","path":""}"#) == [])
    #expect(Transcript.answers(#"{"class":"ERROR"}"#) == [.gpsdError("")])
  }

  /// Answers that are not taken do not pile up, and the newest are kept.
  @Test("answers that are not taken are limited, and the newest are kept")
  func answersAreBounded() {
    var decoder = ReceiverDecoder()
    for number in 0..<5000 {
      let line = Line.withChecksum("PMTK001,\(number),3")
      decoder.feed(Array(line.utf8), at: .zero) { _ in }
    }
    let answers = decoder.drainAnswers()
    #expect((256...512).contains(answers.count))
    #expect(answers.last == .mtkAcknowledgement(.init(command: 4999, result: .done)))
    #expect(decoder.counters.answers == 5000)
  }

  /// Frames and sentences of every answering kind with right checksums and any content.
  @Test("an answer with any content is read or ignored", arguments: [31, 32, 33] as [UInt64])
  func anyContent(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let ids: [(UInt8, UInt8)] = [
      (4, 2), (5, 0), (5, 1), (9, 0x14), (0x0a, 4), (0x0a, 0x21), (0x13, 0x60), (0x13, 0x80),
    ]
    let addresses = [
      "PMTK001", "PMTK010", "PMTK011", "PMTK705", "PAIR001", "PAIR010", "PAIR020", "PAIR021",
      "GPTXT", "GNTXT",
    ]
    let letters = Array("0123456789,,,,-_.=ABSWHIC ".utf8)
    var decoder = ReceiverDecoder()
    var identity = ReceiverIdentity()
    for _ in 0..<20_000 {
      let (messageClass, id) = ids[Int(random.next() % UInt64(ids.count))]
      decoder.feed(
        UBX.frame(messageClass, id, random.bytes(Int(random.next() % 300))), at: .zero
      ) { _ in }
      var body = addresses[Int(random.next() % UInt64(addresses.count))] + ","
      for _ in 0..<random.next() % 24 {
        body.unicodeScalars.append(
          UnicodeScalar(letters[Int(random.next() % UInt64(letters.count))]))
      }
      decoder.feed(Array(Line.withChecksum(body).utf8), at: .zero) { _ in }
      for answer in decoder.drainAnswers() { identity.learn(answer) }
    }
    #expect(decoder.counters.nmeaSentences == 20_000 && decoder.counters.ubxFrames == 20_000)
    #expect(decoder.counters.answers > 10_000 && decoder.counters.malformedFields > 1000)
    #expect((identity.firmware?.utf8.count ?? 0) <= 128)
  }

  @Test(
    "a sleep command is refused only by its own negative answer",
    arguments: [
      (
        ReceiverAnswer.ubxAcknowledgement(
          UBXAcknowledgement(isAccepted: false, messageClass: 0x02, messageID: 0x41)),
        "UBX-ACK-NAK" as String?
      ),
      (
        .ubxAcknowledgement(
          UBXAcknowledgement(isAccepted: true, messageClass: 0x02, messageID: 0x41)), nil
      ),
      (
        .ubxAcknowledgement(
          UBXAcknowledgement(isAccepted: false, messageClass: 0x06, messageID: 0x41)), nil
      ),
      (
        .mtkAcknowledgement(MTKAcknowledgement(command: 161, result: .unsupported)),
        "PMTK001 unsupported"
      ),
      (.mtkAcknowledgement(MTKAcknowledgement(command: 225, result: .failed)), "PMTK001 failed"),
      (.mtkAcknowledgement(MTKAcknowledgement(command: 161, result: .done)), nil),
      (.mtkAcknowledgement(MTKAcknowledgement(command: 314, result: .failed)), nil),
      (.pairAcknowledgement(PAIRAcknowledgement(command: 650, result: .busy)), "PAIR001 busy"),
      (.pairAcknowledgement(PAIRAcknowledgement(command: 650, result: .pending)), nil),
      (.pairAcknowledgement(PAIRAcknowledgement(command: 650, result: .done)), nil),
      (.pairAcknowledgement(PAIRAcknowledgement(command: 590, result: .failed)), nil),
      (.notice("PMTK001,161,1"), nil),
    ])
  func sleepRefusal(answer: ReceiverAnswer, refusal: String?) {
    #expect(answer.sleepRefusal == refusal)
  }

  @Test("the refused numbers are those of the sent commands")
  func sleepCommandNumbers() {
    #expect(UBXPower.backup8(for: nil)[2...3] == [0x02, 0x41])
    #expect(UBXPower.backup16(for: nil)[2...3] == [0x02, 0x41])
    for order in [MTKCommand.standby, MTKCommand.backup] {
      let number = Int(String(decoding: order.dropFirst(5).prefix(3), as: UTF8.self))
      #expect(MTKCommand.sleepCommands.contains(number ?? 0))
    }
    #expect(PAIRCommand.sleep(for: nil).starts(with: Array("$PAIR650,".utf8)))
  }
}
