import TestSupport
import Testing

@testable import Places

@Suite struct PlaceIDTests {
  @Test("the canonical form is read in either case and written in small letters")
  func canonical() throws {
    let text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    let id = try #require(PlaceID(text))
    #expect(id.description == text)
    #expect(PlaceID(text.uppercased()) == id)
    #expect(id.bytes.first == 0xF8)
    #expect(id.bytes.last == 0xF6)
    #expect(PlaceID(bytes: id.bytes) == id)
    #expect(MemoryLayout<PlaceID>.size == 16)
  }

  @Test(
    "everything else is not an id",
    arguments: [
      "", "f81d4fae", "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae7dec11d0a76500a0c91e6bf6",
      "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", "f81d4fae-7dec-11d0-a765-00a0c91e6bfg",
      "f81d4fae-7dec-11d0-a7650-0a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bé",
    ])
  func malformed(text: String) {
    #expect(PlaceID(text) == nil)
    #expect(PlaceID(bytes: [1, 2, 3]) == nil)
  }

  @Test("a new id is marked as random") func made() {
    var chance = SplitMix(seed: 1)
    let ids = (0..<100).map { _ in PlaceID.made(using: &chance) }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(id.bytes[6] >> 4 == 4)
      #expect(id.bytes[8] >> 6 == 2)
      #expect(PlaceID(id.description) == id)
    }
  }

  @Test("ids are in the order of their text") func ordered() {
    var chance = SplitMix(seed: 1)
    let ids = (0..<50).map { _ in PlaceID.made(using: &chance) }.sorted()
    #expect(ids.map(\.description) == ids.map(\.description).sorted())
  }
}
