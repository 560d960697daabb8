import Core
import GNSS
import Testing

@Suite struct FrameScannerTests {
  typealias Sentences = EpochAssemblerTests

  static let good = Sentences.rmc("120000")
  static let next = Sentences.rmc("120001")

  static func counters(_ bytes: [UInt8]) -> DecoderCounters { Line.decoded(bytes).counters }

  @Test("wrong checksums are refused, even if none is required")
  func wrongChecksumsAreRefused() {
    let torn = Self.good.replacing("5204", with: "5205")
    let counters = Self.counters(Array((torn + Self.next).utf8))
    #expect(counters.badChecksums == 1 && counters.nmeaSentences == 1)
    let lenient = Line.decoded(
      Array(torn.utf8), options: .init(acceptsMissingChecksums: true)
    ).counters
    #expect(lenient.badChecksums == 1 && lenient.nmeaSentences == 0)
  }

  @Test("the first refusal of each kind is located", arguments: [1, 7, 4096])
  func firstRefusals(pieceSize: Int) {
    let bare = String(Self.good.prefix(while: { $0 != "*" })) + "\r\n"
    let torn = Self.good.replacing("5204", with: "5205")
    let lines = [Self.good, bare, torn, bare, Self.good, "{\"class\":\r\n", Self.next, Self.next]
    let bytes = Array(lines.joined().utf8)
    var decoder = ReceiverDecoder()
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      decoder.feed(bytes[start..<min(start + pieceSize, bytes.count)], at: .zero) { _ in }
    }
    decoder.finish(at: .zero) { _ in }
    let first = decoder.firstRefusals
    #expect(first.mapValues(\.line)[.missingChecksum] == 2)
    #expect(first[.missingChecksum]?.byte == lines[0].utf8.count + 1)
    #expect(first[.badChecksum]?.line == 3 && first[.badJSON]?.line == 6)
    #expect(first[.garbage] == nil)
  }

  @Test("missing checksums are accepted only on request, and only on whole lines")
  func missingChecksumsAreAChoice() throws {
    let bare = String(Self.good.prefix(while: { $0 != "*" })) + "\r\n"
    let strict = Line.decoded(Array(bare.utf8))
    #expect(strict.fixes.isEmpty && strict.counters.missingChecksums == 1)
    let lenient = Line.decoded(Array(bare.utf8), options: .init(acceptsMissingChecksums: true))
    #expect(lenient.fixes.count == 1)
    // Without a line end nothing shows that it is whole.
    let cut = Line.decoded(
      Array(bare.utf8.dropLast(2)), options: .init(acceptsMissingChecksums: true))
    #expect(cut.fixes.isEmpty)
  }

  @Test("any line end ends the sentence") func anyLineEndIsAccepted() {
    let bare = String(Self.good.dropLast())
    for end in ["", "\n", "\r\n", "\r\r\n", " \r\n", "\0\r\n"] {
      #expect(Self.counters(Array((bare + end).utf8)).nmeaSentences == 1, "\(Array(end.utf8))")
    }
  }

  @Test("a torn sentence loses only itself") func aTornSentenceCostsOnlyItself() {
    let torn = String(Self.good.prefix(20))
    let glued = String(Self.good.dropLast())
    for text in [torn + Self.next, glued + Self.next, "\u{1}\u{2}$\u{7f}" + Self.next] {
      let (fixes, _) = Line.decoded(Array(text.utf8))
      #expect(fixes.last?.time == Line.fixes(Self.next).first?.time, "after \(text)")
    }
    #expect(Self.counters(Array((glued + Self.next).utf8)).nmeaSentences == 2)
  }

  @Test("binary noise between sentences loses none of them") func noiseBetweenSentencesCostsNone() {
    let noise: [UInt8] = [0xff, 0x00, 0xb5, 0x01, 0xd3, 0xff, 0x7b, 0x0a, 0x80, 0x24, 0x24]
    let bytes = noise + Array(Self.good.utf8) + noise + UBX.pvt(second: 1) + Array(Self.next.utf8)
    let counters = Self.counters(bytes)
    #expect(counters.nmeaSentences == 2 && counters.ubxFrames == 1)
    #expect(counters.garbageBytes > 0)
  }

  @Test("a damaged UBX frame hides nothing after it") func aDamagedUBXFrameHidesNothingBehindIt() {
    var frame = UBX.pvt(second: 0)
    frame[40] ^= 1
    let counters = Self.counters(frame + Array(Self.next.utf8))
    #expect(counters.badUBXChecksums == 1 && counters.nmeaSentences == 1)
    // A wrong length consumes at most that length until the end of input.
    frame = UBX.pvt(second: 0)
    frame[5] = 0xff
    #expect(Self.counters(frame + Array(Self.next.utf8)).nmeaSentences == 1)
  }

  @Test("sentences whose line ends were lost are all read", arguments: ["", "\r"])
  func lostLineEnds(end: String) {
    for count in [2, 3, 4, 8, 100] {
      let text = (0..<count).map { second in
        let time = "0800\(second / 10 % 6)\(second % 10)"
        let line = Line.withChecksum("GNRMC,\(time),A,5206.0000,N,00506.0000,E,0.1,,010526,,,A")
        return String(line.dropLast(1)) + end
      }.joined()
      let counters = Self.counters(Array(text.utf8))
      #expect(counters.nmeaSentences == count, "\(count) with \(end.utf8.count) bytes between")
    }
  }

  @Test("an overlong line is dropped, and the following ones are read")
  func overlongLinesAreGivenUp() {
    let endless = "$GPGGA," + String(repeating: "1", count: 5000)
    let counters = Self.counters(Array((endless + Self.next).utf8))
    #expect(counters.overlongLines == 1 && counters.nmeaSentences == 1)
  }

  @Test("RTCM corrections are skipped whole") func correctionsAreSteppedOver() {
    // A null message of RTCM 3: no payload, CRC-24Q of D3 00 00.
    let null: [UInt8] = [0xd3, 0x00, 0x00, 0x47, 0xea, 0x4b]
    let counters = Self.counters(null + Array(Self.good.utf8) + null)
    #expect(counters.rtcmFrames == 2 && counters.garbageBytes == 0)
  }

  @Test("a recording's comment is not a sentence, whatever it contains")
  func commentsAreNoSentences() {
    let counters = Self.counters(Array(("# a $GPRMC example\n" + Self.good).utf8))
    #expect(counters.comments == 1 && counters.nmeaSentences == 1 && counters.badChecksums == 0)
  }

  @Test("a report that is not JSON is counted, and the following ones are read")
  func aReportThatIsNoJSONIsCounted() {
    let counters = Self.counters(Array(("{\"class\":\"TPV\",\n" + Self.good).utf8))
    #expect(counters.badJSON == 1 && counters.nmeaSentences == 1)
  }

  /// Otherwise a comment could begin there, depending on where the bytes were split.
  @Test("a carriage return in noise ends its line")
  func carriageReturnsInNoise() {
    let bytes = Array(("xx\r#" + Self.good).utf8)
    for cut in 0...bytes.count {
      var decoder = ReceiverDecoder()
      decoder.feed(bytes[..<cut], at: .zero) { _ in }
      decoder.feed(bytes[cut...], at: .zero) { _ in }
      decoder.finish(at: .zero) { _ in }
      #expect(decoder.counters.comments == 1 && decoder.counters.garbageBytes == 2, "at \(cut)")
    }
  }
}
