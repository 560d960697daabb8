import Core
import TestSupport
import Testing

@Suite struct TZifTests {
  /// Builds a file in the format of RFC 9636 from its parts.
  private struct File {
    var version: UInt8 = 0x32
    var times: [Int64] = [0, 1000]
    var indices: [UInt8] = [1, 0]
    var offsets: [Int32] = [0, 3600]
    var leapSeconds = 0
    var footer = "AAA0"

    func block(timeSize: Int) -> [UInt8] {
      func big(_ number: Int64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
      }
      let counts = [0, 0, leapSeconds, times.count, offsets.count, 4]
      var bytes: [UInt8] = Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
      bytes += counts.flatMap { big(Int64($0), 4) }
      bytes += times.flatMap { big($0, timeSize) }
      bytes += indices
      bytes += offsets.flatMap { big(Int64($0), 4) + [0, 0] }
      bytes += Array("AAA\0".utf8) + Array(repeating: 0, count: leapSeconds * (timeSize + 4))
      return bytes
    }

    var bytes: [UInt8] {
      version == 0
        ? block(timeSize: 4)
        : block(timeSize: 4) + block(timeSize: 8) + Array("\n\(footer)\n".utf8)
    }
  }

  private func error(_ file: File) -> TimeZoneError? { error(file.bytes) }

  private func error(_ bytes: [UInt8]) -> TimeZoneError? {
    thrown(TimeZoneError.self) { try TimeZoneRules(name: "test", tzif: bytes) }
  }

  @Test("every version is read", arguments: [UInt8(0), 0x32, 0x33, 0x34])
  func versions(version: UInt8) throws {
    let zone = try TimeZoneRules(name: "test", tzif: File(version: version).bytes)
    #expect(zone.offset(at: UTCInstant(second: -1)) == 0)
    #expect(zone.offset(at: UTCInstant(second: 0)) == 3600)
    #expect(zone.offset(at: UTCInstant(second: 999)) == 3600)
    #expect(zone.offset(at: UTCInstant(second: 1000)) == 0)
  }

  @Test("64-bit times are preferred, and the footer applies after the last of them")
  func footer() throws {
    let file = File(times: [-5_000_000_000, 1000], footer: "CET-1CEST,M3.5.0,M10.5.0/3")
    let zone = try TimeZoneRules(name: "test", tzif: file.bytes)
    #expect(zone.offset(at: UTCInstant(second: -5_000_000_001)) == 0)
    #expect(zone.offset(at: UTCInstant(second: -5_000_000_000)) == 3600)
    #expect(zone.offset(at: UTCInstant(second: 1000)) == 3600)
    #expect(zone.offset(at: UTCInstant(second: 1_782_864_000)) == 7200)
    let silent = try TimeZoneRules(name: "test", tzif: File(footer: "").bytes)
    #expect(silent.offset(at: UTCInstant(second: 1_782_864_000)) == 0)
    let onlyFooter = File(times: [], indices: [], offsets: [0], footer: "CET-1")
    let zoneOfFooter = try TimeZoneRules(name: "test", tzif: onlyFooter.bytes)
    #expect(zoneOfFooter.offset(at: UTCInstant(second: -9_000_000_000)) == 3600)
  }

  @Test("a clock that jumps twice in an hour gives the right readings")
  func restlessClock() throws {
    let file = File(
      times: [1_000_000, 1_000_100], indices: [1, 0], offsets: [0, 3600], footer: "AAA0")
    let zone = try TimeZoneRules(name: "test", tzif: file.bytes)
    // At 1,000,000 local time jumps to 1,003,600, and 100 s later back to 1,000,100.
    func reading(_ second: Int) -> LocalReading? {
      zone.reading(of: CivilTime(UTCInstant(second: second)))
    }
    #expect(reading(1_000_050) == .never(byOffsetBefore: UTCInstant(second: 1_000_050)))
    #expect(reading(1_000_150) == .once(UTCInstant(second: 1_000_150)))
    #expect(
      reading(1_003_650)
        == .twice(first: UTCInstant(second: 1_000_050), second: UTCInstant(second: 1_003_650)))
  }

  @Test("malformed files are refused with their fault") func malformed() {
    #expect(error([]) == .notTZif)
    #expect(error(Array("TZjf".utf8)) == .notTZif)
    #expect(error(Array("TZif2".utf8)) == .truncated)
    #expect(error(File(version: 0x35)) == .unknownVersion(0x35))
    #expect(error(File(times: [0, 0])) == .malformed(.transitionTimes))
    #expect(error(File(indices: [2, 0])) == .malformed(.transitionTypes))
    #expect(error(File(times: [], indices: [], offsets: [])) == .malformed(.counts))
    #expect(error(File(offsets: [0, 93_601])) == .offsetOutOfRange)
    #expect(error(File(leapSeconds: 1)) == .countsLeapSeconds)
    #expect(error(File(footer: "AAA")) == .malformedRule(at: 3))
    #expect(error(Array(File().bytes.dropLast())) == .malformed(.footer))
    #expect(
      error(Array(repeating: 0, count: TimeZoneRules.maximumFileSize + 1))
        == .tooLong(bytes: 65_537))
    let count = File().bytes.count
    for length in 0..<count { #expect(error(Array(File().bytes.prefix(length))) != nil) }
    var huge = File().bytes
    for index in 20..<44 { huge[index] = 0xFF }
    #expect(error(huge) == .truncated)
  }

  @Test(
    "errors say how to fix them",
    arguments: [TimeZoneError.notTZif, .countsLeapSeconds, .truncated])
  func messages(error: TimeZoneError) { #expect(error.description.contains("; ")) }

  @Test("no bytes cause a trap, and every zone that is read gives results")
  func hostileBytes() throws {
    var random = SplitMix(seed: 9636)
    let originals = try TZifSamples.names.map(TZifSamples.bytes) + [File().bytes]
    var read = 0
    for round in 0..<20_000 {
      var bytes = originals[round % originals.count]
      if round % 10 == 0 {
        bytes = random.bytes(Int.random(in: 0...200, using: &random))
        if round % 20 == 0 { bytes = Array("TZif2".utf8) + bytes }
      } else {
        for _ in 0...Int.random(in: 0...3, using: &random) {
          // Damage in the header and in the footer has the most effect.
          let place =
            switch Int.random(in: 0...2, using: &random) {
            case 0: Int.random(in: 0..<min(100, bytes.count), using: &random)
            case 1: bytes.count - 1 - Int.random(in: 0..<min(40, bytes.count), using: &random)
            default: Int.random(in: 0..<bytes.count, using: &random)
            }
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        if round % 7 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
      }
      guard let zone = try? TimeZoneRules(name: "test", tzif: bytes) else { continue }
      read += 1
      let instant = UTCInstant(nanoseconds: .random(in: .min ... .max, using: &random))
      #expect(zone.offset(at: instant).magnitude <= 93_600)
      _ = zone.reading(of: zone.localTime(at: instant))
      _ = try Schedule(start: CivilTime(instant).atWholeSecond, in: zone, rule: .weekly)
        .next(after: instant)
    }
    #expect(read > 2000)
  }
}

extension CivilTime {
  /// Limited to the years in which a schedule can begin.
  fileprivate var atWholeSecond: CivilTime {
    CivilTime(
      year: min(max(year, 1678), 2261), month: month, day: min(day, 28), hour: hour, minute: minute)
  }
}
