import Core
import GNSS
import TestSupport
import Testing

/// Any bytes on the line: no trap, no growth, and the same result however they are split.
@Suite struct RobustnessTests {
  /// NMEA, UBX, RTCM, JSON, a comment, noise and a torn line.
  static let mixture: [UInt8] = {
    var bytes = Array("# start\n".utf8) + [0x00, 0xff, 0xb5]
    for second in 0..<4 {
      bytes += Array(CycleEndTests.second("12000\(second)").utf8)
      bytes += UBX.pvt(second: UInt8(second)) + [0xd3, 0x00, 0x00, 0x47, 0xea, 0x4b]
      bytes += Array("$GPGGA,1200".utf8) + [0x24, 0xb5, 0x62, 0x01]
      let time = "2026-05-01T12:01:0\(second).000Z"
      bytes += Array(
        #"{"class":"TPV","mode":3,"time":"\#(time)","lat":52,"lon":5}"#.utf8 + [13, 10])
    }
    return bytes + Array(EpochAssemblerTests.rmc("120009").utf8.dropLast(2))
  }()

  @Test("bytes give the same fixes wherever they are split") func everySplitGivesTheSame() {
    let whole = Line.decoded(Self.mixture)
    #expect(whole.fixes.count > 8)
    for cut in 0...Self.mixture.count {
      var decoder = ReceiverDecoder()
      var fixes: [Fix] = []
      decoder.feed(Self.mixture[..<cut], at: .zero) { fixes.append($0) }
      decoder.feed(Self.mixture[cut...], at: .zero) { fixes.append($0) }
      decoder.finish(at: .zero) { fixes.append($0) }
      let isSame = fixes == whole.fixes && decoder.counters.fixes == whole.counters.fixes
      #expect(isSame, "cut at \(cut)")
    }
  }

  @Test(
    "bytes give the same fixes in pieces of every size",
    arguments: [1, 2, 3, 7, 64, 4095, 4096, 4097])
  func everyPieceSizeGivesTheSame(size: Int) {
    let bytes = Self.mixture + Self.mixture + Self.mixture
    let whole = Line.decoded(bytes)
    var decoder = ReceiverDecoder()
    var fixes: [Fix] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      decoder.feed(bytes[start..<min(start + size, bytes.count)], at: .zero) { fixes.append($0) }
    }
    decoder.finish(at: .zero) { fixes.append($0) }
    let isSame = fixes == whole.fixes
    #expect(isSame)
    #expect(decoder.counters.nmeaSentences == whole.counters.nmeaSentences)
  }

  @Test("random bytes give no senseless fix", arguments: [1, 2, 3] as [UInt64])
  func randomBytesGiveNoSenselessFix(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var decoder = ReceiverDecoder(options: .init(acceptsMissingChecksums: true))
    for _ in 0..<16 {
      let bytes = random.bytes(65_536)
      decoder.feed(bytes, at: .zero) { Self.check($0) }
    }
    decoder.finish(at: .zero) { Self.check($0) }
    #expect(decoder.counters.bytes == 1_048_576)
    #expect(decoder.counters.garbageBytes > 500_000)
  }

  /// Printable noise has many more line starts, commas and digits than random bytes.
  @Test("random sentences give no senseless fix", arguments: [11, 12] as [UInt64])
  func randomSentencesGiveNoSenselessFix(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let letters = Array("$!,.*0123456789ANSEWV-\r\n{\":}GPRMCGALVTZDX ".utf8)
    var decoder = ReceiverDecoder(options: .init(acceptsMissingChecksums: true))
    for _ in 0..<200 {
      var line = Array("$GP".utf8)
      for _ in 0..<Int(random.next() % 200) {
        line.append(letters[Int(random.next() % UInt64(letters.count))])
      }
      decoder.feed(line, at: .zero) { Self.check($0) }
    }
    // The body is noise but the checksum is right, so only the fields can refuse it.
    for _ in 0..<20_000 {
      let kinds = ["GGA", "RMC", "GLL", "GNS", "GSA", "GST", "GSV", "VTG", "ZDA"]
      var body = "GP\(kinds[Int(random.next() % 9)])"
      for _ in 0..<Int(random.next() % 20) { body += "," + Self.field(&random) }
      decoder.feed(Array(Line.withChecksum(body).utf8), at: .zero) { Self.check($0) }
    }
    #expect(decoder.counters.malformedFields > 0)
  }

  @Test("damaged recordings give no senseless fix", arguments: 1...40 as ClosedRange<UInt64>)
  func damageGivesNoSenselessFix(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<25 {
      var bytes = Self.mixture
      for _ in 0..<Int(random.next() % 12) + 1 {
        let position = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: position)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: position)
        default: bytes.removeLast(min(bytes.count - 1, position % 97))
        }
      }
      for fix in Line.decoded(bytes, options: .init(acceptsMissingChecksums: true)).fixes {
        Self.check(fix)
      }
    }
  }

  /// UBX frames of every decoded kind with right checksums and any content.
  @Test("UBX frames of any content give no senseless fix", arguments: [21, 22] as [UInt64])
  func randomPayloadsGiveNoSenselessFix(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let ids: [(UInt8, UInt8)] = [
      (1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (1, 7), (1, 0x12), (1, 0x14), (1, 0x20), (1, 0x21),
      (1, 0x30), (1, 0x35), (1, 0x61), (5, 0), (5, 1), (0x28, 0),
    ]
    var decoder = ReceiverDecoder()
    for _ in 0..<20_000 {
      let (messageClass, id) = ids[Int(random.next() % UInt64(ids.count))]
      let payload = random.bytes(Int(random.next() % 100))
      decoder.feed(UBX.frame(messageClass, id, payload), at: .zero) { Self.check($0) }
    }
    #expect(decoder.counters.ubxFrames == 20_000)
    let kept = decoder.drainAnswers().count
    #expect(kept <= 512)
  }

  private static func field(_ random: inout SplitMix) -> String {
    switch random.next() % 8 {
    case 0: ""
    case 1: "\(random.next())"
    case 2: "-\(random.next() % 1000).\(random.next())"
    case 3: String(UnicodeScalar(UInt8(0x21 + random.next() % 0x09)))
    case 4: ["A", "V", "N", "S", "E", "W", "M", "T"][Int(random.next() % 8)]
    case 5: "\(random.next() % 240_000).\(random.next() % 100)"
    case 6: "\(random.next() % 9000).\(random.next() % 10_000)"
    default: "\(random.next() % 10)"
    }
  }

  /// Requirements for every fix, whatever its source.
  static func check(_ fix: Fix) {
    guard let position = fix.position else {
      if fix.mode != .none { Issue.record("a mode without a place") }
      return
    }
    let isInRange = position.latitude.magnitude <= 90 && position.longitude.magnitude <= 180
    let error = fix.horizontalError ?? 0
    let speed = fix.speed ?? 0
    let isSound =
      fix.mode != .none && isInRange && !position.isNullIsland && error >= 0 && error.isFinite
      && (0..<360).contains(fix.track ?? 0) && speed >= 0 && speed.isFinite
    if !isSound { Issue.record("an impossible fix: \(fix)") }
  }
}
