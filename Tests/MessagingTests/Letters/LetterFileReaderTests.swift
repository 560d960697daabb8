import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct LetterFileReaderTests {
  private typealias Bench = LetterBench

  private static let messages = (1...3).map { PeerMessage.letter(Bench.letter($0)) }

  private func messages(_ entries: [LetterFileEntry]) -> [PeerMessage] {
    entries.compactMap { try? $0.message.get() }
  }

  private func faults(_ text: String) -> [String] {
    LetterFileReader.entries(of: text.utf8).compactMap {
      if case .failure = $0.message { $0.description } else { nil }
    }
  }

  private static func line(_ index: Int) -> String {
    String(decoding: LetterFile.line(messages[index]), as: UTF8.self)
  }

  @Test(
    "a written file is read in pieces of any size",
    arguments: [1, 7, 999])
  func pieces(size: Int) {
    let bytes = Self.messages.flatMap { LetterFile.line($0) }
    var reader = LetterFileReader()
    var entries: [LetterFileEntry] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.feed(bytes[start..<min(start + size, bytes.count)], into: &entries)
    }
    reader.finish(into: &entries)
    #expect(messages(entries) == Self.messages)
    #expect(entries.map(\.line) == [1, 2, 3] && entries.map(\.number) == [1, 2, 3])
  }

  @Test("a list, indented or not, and separated texts are read, too") func list() {
    let (a, b) = (Self.line(0), Self.line(1))
    for text in [
      "[" + a + "," + b + "]",
      "\u{feff}[\n  " + a.replacing(",", with: ",\n    ") + ",\n" + b + "]\n",
      "\u{1e}" + a + "\u{1e}" + b, a.replacing("{", with: "{\n ") + "\r\n\n" + b,
    ] {
      let entries = LetterFileReader.entries(of: text.utf8)
      #expect(messages(entries) == Array(Self.messages.prefix(2)) && entries.count == 2)
    }
  }

  @Test("an invalid message drops only itself, and its place is reported") func faulty() {
    let text =
      Self.line(0) + Self.line(1).replacing("\"ben\"", with: "\"Ben\"") + "hello {\n" + Self.line(2)
    #expect(messages(LetterFileReader.entries(of: text.utf8)).count == 2)
    #expect(faults(text)[0].hasPrefix("message 2, line 2: from: \"Ben\" does not begin") == true)
    #expect(
      faults(text)[1] == "message 3, line 3: it is not a JSON object: write one in { and }")
  }

  @Test("a truncated message ends where the next begins") func cut() {
    let half = Self.line(0).prefix { $0 != "T" }
    for start in [half + "", half.dropLast(1) + ""] {
      let text = start + "\n" + Self.line(1)
      #expect(messages(LetterFileReader.entries(of: text.utf8)) == [Self.messages[1]])
      #expect(faults(text).count == 1 && faults(text)[0].contains("cut off") == true)
    }
    #expect(
      faults(String(half)) == [
        "message 1, line 1: the file ends in the middle of it: check that the file is complete"
      ])
    #expect(faults("[" + Self.line(0)).count == 1)
    #expect(faults("") == [] && faults(" \n[]\n") == [])
  }

  @Test(
    "a damaged file gives the same result however it is split, and never stops the reader",
    arguments: 1...20 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) {
    var chance = SplitMix(seed: seed)
    var bytes = Self.messages.flatMap { LetterFile.line($0) }
    let marks = Array("{}[]\",\\\n x".utf8)
    for _ in 0..<6 {
      bytes[Int.random(in: 0..<bytes.count, using: &chance)] =
        marks.randomElement(using: &chance) ?? 0
    }
    let whole = LetterFileReader.entries(of: bytes)
    var reader = LetterFileReader()
    var entries: [LetterFileEntry] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(.random(in: 1...40, using: &chance))
      reader.feed(piece, into: &entries)
      rest = rest.dropFirst(piece.count)
    }
    reader.finish(into: &entries)
    #expect(entries.map(\.description) == whole.map(\.description))
    #expect(messages(entries) == messages(whole) && !entries.isEmpty)
    #expect(
      messages(entries).allSatisfy { message in (try? PeerMessage(message.bytes)) == message })
  }

  @Test("an endless message is not kept") func endless() {
    let text = "{\"a\":\"" + String(repeating: "x", count: 100_000) + "\"}\n" + Self.line(0)
    #expect(faults(text) == ["message 1, line 1: it has more than 16384 bytes: shorten it"])
    #expect(messages(LetterFileReader.entries(of: text.utf8)).count == 1)
  }

  @Test("endless brackets are an error, and do not crash the program") func deep() {
    let text = "{\"a\":" + String(repeating: "[", count: 50_000) + "\n" + Self.line(0)
    #expect(messages(LetterFileReader.entries(of: text.utf8)).count == 1)
  }
}
