import Core
import Testing

@testable import Config

/// A damaged text, and an undamaged one with the same meaning.
struct Damage: CustomStringConvertible, Sendable {
  let description: String
  let text: String
  let meaning: String
  /// The lines that the messages name.
  let lines: [Int]
}

@Suite struct TOMLRepairTests {
  private static func mended(_ text: String) -> TOMLRepair {
    TOMLRepair(BootText(Array(text.utf8)).lines, lists: ["nets"])
  }

  static let damages = [
    Damage(description: "none", text: "a = 1\n[b]\nc = 2", meaning: "a = 1\n[b]\nc = 2", lines: []),
    Damage(
      description: "a quote is missing", text: "[a]\nb = \"x\nc = 1", meaning: "[a]\nc = 1",
      lines: [2]),
    Damage(
      description: "no quotes", text: "[a]\nb = x\nc = 1", meaning: "[a]\nc = 1", lines: [2]),
    Damage(
      description: "typographic quotes", text: "a = “x”\nb = ‘it’\nc = 'a “real” one'",
      meaning: "a = \"x\"\nb = 'it'\nc = 'a “real” one'", lines: [1, 2]),
    Damage(
      description: "a space that does not break", text: "a\u{a0}= 1\nb = 2",
      meaning: "a = 1\nb = 2", lines: [1]),
    Damage(
      description: "an element of a list", text: "a = [\n \"x\",\n y\",\n \"z\",\n]\nb = 1",
      meaning: "a = [\"x\", \"z\"]\nb = 1", lines: [3]),
    Damage(
      description: "a list that is not closed", text: "a = [\n 1,\n 2\n[b]\nc = 1",
      meaning: "[b]\nc = 1", lines: [1]),
    Damage(
      description: "a list on one line that is not closed", text: "a = [1, 2\nb = 1\n[c]\nd = 2",
      meaning: "b = 1\n[c]\nd = 2", lines: [1]),
    Damage(
      description: "a text of several lines that is not closed",
      text: "b = 1\na = \"\"\"\n[c]\nd = 2", meaning: "b = 1\n[c]\nd = 2", lines: [2]),
    Damage(
      description: "a header that is not closed", text: "[a]\nx = 1\n[b\nx = 2\ny = 3\n[c]\nz = 4",
      meaning: "[a]\nx = 1\n[c]\nz = 4", lines: [3]),
    Damage(
      description: "a header that stands there twice", text: "[a]\nx = 1\n[b]\ny = 2\n[a]\nz = 3",
      meaning: "[a]\nx = 1\nz = 3\n[b]\ny = 2", lines: [5]),
    Damage(
      description: "a section that was begun with dots", text: "a.x = 1\n[a]\nx = 2\nz = 3",
      meaning: "[a]\nx = 1\nz = 3", lines: [2, 3]),
    Damage(
      description: "a list with single brackets",
      text: "[nets]\nx = 1\n[nets]\nx = 2\n[[nets]]\nx = 3",
      meaning: "[[nets]]\nx = 1\n[[nets]]\nx = 2\n[[nets]]\nx = 3", lines: [3, 5]),
    Damage(
      description: "twice", text: "a = 1\na = 2\nb = 3", meaning: "a = 1\nb = 3", lines: [2]),
    Damage(
      description: "two on one line", text: "a = 1 b = 2\nc = 3", meaning: "c = 3", lines: [1]),
    Damage(
      description: "no text at all", text: "hello\nworld\n?\n", meaning: "", lines: [1, 2, 3]),
  ]

  @Test("damage loses only the damaged statements", arguments: damages)
  func damageCostsWhatItIsAbout(damage: Damage) {
    let mended = Self.mended(damage.text)
    let meant = Self.mended(damage.meaning)
    #expect(meant.diagnostics == [])
    #expect(Self.unlined(.table(mended.table)) == Self.unlined(.table(meant.table)))
    #expect(mended.diagnostics.map(\.line) == damage.lines)
  }

  /// Sorted and without line numbers.
  private static func unlined(_ content: WrittenValue.Content) -> String {
    switch content {
    case .table(let table):
      let pairs = table.keys.sorted().map { key in
        "\(key)=" + (table[key].map { unlined($0.content) } ?? "")
      }
      return "{" + pairs.joined(separator: ",") + "}"
    case .array(let elements):
      return "[" + elements.map { unlined($0.content) }.joined(separator: ",") + "]"
    default: return "\(content)"
    }
  }

  @Test("a file full of errors keeps the statements before them")
  func aFileFullOfErrors() {
    let text = "a = 1\n" + String(repeating: "x\n", count: 20_000) + "b = 2\n"
    let mended = Self.mended(text)
    #expect(mended.table.keys == ["a"])
    #expect(mended.diagnostics.count == 101)
    #expect(mended.diagnostics.last?.line == 102)
  }
}
