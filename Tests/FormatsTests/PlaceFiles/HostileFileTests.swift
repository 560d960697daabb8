import Formats
import Places
import TestSupport
import Testing

/// Every format with hostile content, and in pieces.
@Suite struct HostileFileTests {
  private static func text(_ format: PlaceFileFormat, seed: UInt64, count: Int) throws -> [UInt8] {
    var random = RandomPlaces(seed: seed)
    return PlaceFileRun.text(try random.places(count), as: format)
  }

  @Test(
    "a file gives the same result however it is split", arguments: PlaceFileFormat.allCases,
    [1, 7, 4096])
  func pieces(format: PlaceFileFormat, piece: Int) throws {
    let text = try Self.text(format, seed: 5, count: 12)
    let whole = PlaceFileRun(text, as: format)
    #expect(!whole.places.isEmpty)
    #expect(PlaceFileRun(text, as: format, piece: piece) == whole)
    let cut = Array(text.dropLast(text.count / 3))
    #expect(PlaceFileRun(cut, as: format, piece: piece) == PlaceFileRun(cut, as: format))
  }

  @Test(
    "changed bytes neither stop reading nor multiply its results",
    arguments: PlaceFileFormat.allCases,
    1...4)
  func mutations(format: PlaceFileFormat, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let sound = try Self.text(format, seed: seed, count: 4)
    let words = [
      "{", "}", "[", "]", "\"", ",", ":", "<", ">", "</", "&", "1e308", "-0", "null", "\u{1E}",
      "\\u",
      "<![CDATA[", "9223372036854775808", "<Placemark>", "</wpt>", "\u{0}", "NaN", "<kml>",
    ]
    for _ in 0..<40 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...30, using: &random))
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[start] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
        default:
          let word = words.randomElement(using: &random) ?? ""
          bytes.replaceSubrange(start..<end, with: Array(word.utf8))
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let run = PlaceFileRun(bytes, as: format)
      #expect(run.entries.count <= bytes.count)
      #expect(run.entries.allSatisfy { $0.notices.count < 12 })
      #expect(PlaceFileRun(bytes, as: format, piece: 13) == run)
      // Accepted places can be written, and read again.
      let again = PlaceFileRun(PlaceFileRun.text(run.places, as: .geojson), as: .geojson)
      #expect(again.errors.isEmpty)
      #expect(again.places.map(\.turned) == run.places.map(\.turned))
    }
  }

  @Test("random bytes are refused", arguments: PlaceFileFormat.allCases)
  func nonsense(format: PlaceFileFormat) {
    var random = SplitMix(seed: 9)
    for count in [0, 1, 2, 100, 5000] {
      let run = PlaceFileRun(random.bytes(count), as: format)
      #expect(run.places.isEmpty)
    }
    for bracket in ["[", "{\"a\":", "<a>", "<a ", "\"", "&"] {
      let text = String(repeating: bracket, count: 100_000)
      #expect(PlaceFileRun(text, as: format).places.isEmpty)
    }
  }
}
