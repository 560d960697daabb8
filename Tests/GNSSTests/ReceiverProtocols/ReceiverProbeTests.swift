import Core
import TestSupport
import Testing

@testable import GNSS

@Suite struct ReceiverProbeTests {
  /// A receiver that sends two sentences per second and answers the queries it supports.
  struct Conversation {
    var probe: ReceiverProbe
    var now = BootInstant.zero
    var sent: [ReceiverQuery] = []
    var isSpeaking = true
    var isNoisy = false

    init(isSpeedCertain: Bool = true) {
      probe = ReceiverProbe(at: .zero, listening: 5, isSpeedCertain: isSpeedCertain)
    }

    mutating func run(_ answers: [ReceiverQuery: [ReceiverAnswer]]) {
      for _ in 0..<1000 {
        switch probe.step(at: now) {
        case .finished: return
        case .send(let query):
          sent.append(query)
          probe.receive(answers[query] ?? [], bytes: 70, validFrames: 1, protocols: .nmea)
        case .listen(let end):
          let next = now + 0.5
          now = next < end ? next : end
          probe.receive(
            [], bytes: isSpeaking || isNoisy ? 70 : 0, validFrames: isSpeaking ? 1 : 0,
            protocols: isSpeaking ? .nmea : [])
        }
      }
      Issue.record("the probe does not end")
    }
  }

  static let answers: [ReceiverQuery: [ReceiverAnswer]] = [
    .ubxVersion: Transcript.answers(Transcript.m8),
    .mtkRelease: Transcript.answers("$PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0*6B"),
    .pairVersion: Transcript.answers(
      "$PAIR001,020,0*39",
      "$PAIR020,AG3335M_V1.0.0.ER5_20200416,S,I,1003931,2003132012,a272,0,,,3aae182,2003132006,"
        + "062ab13,2003132011,,*28"),
    .casFirmware: Transcript.answers("$GPTXT,01,01,02,SW=URANUS5,V5.3.0.0*1D"),
    .casHardware: Transcript.answers("$GPTXT,01,01,02,HW=ATGM336H,0004090746370*1E"),
  ]

  @Test("a u-blox receiver is identified by one query") func oneQuestionFindsUblox() {
    var line = Conversation()
    line.run([.ubxVersion: Self.answers[.ubxVersion]!])
    #expect(line.sent == [.ubxVersion])
    #expect(line.probe.identity.family == .ubloxM8 && line.probe.protocols == .nmea)
    #expect(line.now <= .zero + 2)
  }

  @Test("a MediaTek receiver is identified after u-blox's queries") func mediatekIsFound() {
    var line = Conversation()
    line.run([.mtkRelease: Self.answers[.mtkRelease]!])
    #expect(line.sent == [.ubxVersion, .ubxVersion, .mtkRelease])
    #expect(line.probe.identity.model == "PA6H")
  }

  @Test("an Airoha receiver is identified by its version") func airohaIsFound() {
    var line = Conversation()
    line.run([
      .pairVersion: Self.answers[.pairVersion]!,
      // Not supported by it.
      .mtkRelease: [],
    ])
    #expect(line.sent.last == .pairVersion && line.sent.count == 5)
    #expect(line.probe.identity.chip == "AG3335M")
  }

  /// A second query gives its hardware.
  @Test("a Casic receiver is also queried for its hardware") func casicIsAskedForItsHardware() {
    var line = Conversation()
    line.run([
      .casFirmware: Self.answers[.casFirmware]!, .casHardware: Self.answers[.casHardware]!,
    ])
    #expect(line.sent.suffix(2) == [.casFirmware, .casHardware])
    #expect(line.probe.identity.family == .casic && line.probe.identity.model == "ATGM336H")
  }

  @Test("a receiver that answers no query counts as plain NMEA")
  func noAnswers() {
    var line = Conversation()
    line.run([:])
    #expect(line.sent == ReceiverQuery.allCases.flatMap { [$0, $0] })
    #expect(line.probe.identity.family == nil && line.probe.protocols == .nmea)
    #expect(line.probe.hasValidFrames && line.probe.answeredQueries.isEmpty)
    #expect(line.now <= .zero + 14)
  }

  /// A refusal is an answer, so the query is not repeated.
  @Test("a refused query is not repeated") func refusalsMoveOn() {
    var line = Conversation()
    line.run([
      .mtkRelease: Transcript.answers(Line.withChecksum("PMTK001,605,1")),
      .casFirmware: Self.answers[.casFirmware]!,
    ])
    #expect(line.sent.count { $0 == .mtkRelease } == 1)
    #expect(line.probe.identity.family == .casic)
  }

  /// Startup messages received while listening save queries for other families.
  @Test("startup messages save other queries") func startupTextsDirectTheQuestions() {
    var line = Conversation()
    line.probe.receive(
      Transcript.answers("$PMTK011,MTKGPS*08"), bytes: 40, validFrames: 2, protocols: .nmea)
    line.run(Self.answers)
    #expect(line.sent == [.mtkRelease])
  }

  /// At a wrong speed a query would be noise.
  @Test("a silent line at an unknown speed is not queried")
  func silenceAtAnUnknownSpeedIsNotSpokenTo() {
    var line = Conversation(isSpeedCertain: false)
    line.isSpeaking = false
    line.run([:])
    #expect(line.sent.isEmpty && !line.probe.hasValidFrames && line.now == .zero + 5)
  }

  /// The configured speed is wrong.
  @Test("noise is not queried") func noiseIsNotSpokenTo() {
    var line = Conversation()
    line.isSpeaking = false
    line.isNoisy = true
    line.run([:])
    #expect(line.sent.isEmpty && !line.probe.hasValidFrames && line.now == .zero + 5)
  }

  /// The receiver may be asleep, or set to send nothing unrequested.
  @Test("a silent line at a known speed is queried") func silenceAtAKnownSpeedIsSpokenTo() {
    var line = Conversation()
    line.isSpeaking = false
    line.run([.ubxVersion: Self.answers[.ubxVersion]!])
    #expect(line.sent == [.ubxVersion] && line.probe.identity.family == .ubloxM8)
  }

  /// Whatever is answered and when: it ends, repeats no query more than once, and sends none after
  /// that.
  @Test(
    "any conversation ends, with no query sent more than twice",
    arguments: 1...60 as ClosedRange<UInt64>)
  func anyConversationEnds(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let all =
      Self.answers.values.flatMap { $0 } + Transcript.answers(Line.withChecksum("PMTK001,605,1"))
    var probe = ReceiverProbe(
      at: .zero, listening: 3, isSpeedCertain: random.next() % 2 == 0)
    var now = BootInstant.zero
    var sent: [ReceiverQuery: Int] = [:]
    var steps = 0
    loop: while steps < 2000 {
      steps += 1
      switch probe.step(at: now) {
      case .finished: break loop
      case .send(let query): sent[query, default: 0] += 1
      case .listen(let end):
        #expect(end > now)
        now = now + Seconds(Double(random.next() % 1000) / 1000)
        let isAnswer = random.next() % 8 == 0
        let answer = isAnswer ? [all[Int(random.next() % UInt64(all.count))]] : []
        probe.receive(
          answer, bytes: Int(random.next() % 100), validFrames: Int(random.next() % 3),
          protocols: .nmea)
      }
    }
    #expect(steps < 2000)
    #expect(sent.values.allSatisfy { $0 <= 2 } && probe.sentQueries.count == sent.count)
    let last = probe.step(at: now)
    #expect(last == .finished)
  }

  /// Queries are sound in their own protocol and invalid in the others: a receiver that does not
  /// support them discards them whole.
  @Test(
    "every query is one frame, which other receivers discard whole",
    arguments: ReceiverQuery.allCases)
  func queriesAreOneFrame(query: ReceiverQuery) {
    let (fixes, counters) = Line.decoded(query.bytes)
    #expect(fixes.isEmpty && counters.garbageBytes == 0 && counters.answers == 0)
    #expect(counters.nmeaSentences + counters.ubxFrames == 1)
    #expect(counters.unknownSentences + counters.unknownFrames == 1)
  }
}
