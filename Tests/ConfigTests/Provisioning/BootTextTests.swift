import Foundation
import Testing

@testable import Config

@Suite struct BootTextTests {
  private static let text = "a = 1\r\nb = \"é\"\r\n\r\nc = 3"

  private static func lines(_ bytes: [UInt8]) -> [String] {
    BootText(bytes).lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("it reads the output of common editors")
  func readsWhatEditorsWrite() throws {
    let plain = Array(Self.text.utf8)
    let little = try #require(Self.text.data(using: .utf16LittleEndian))
    let big = try #require(Self.text.data(using: .utf16BigEndian))
    let oldMac = Self.text.replacingOccurrences(of: "\r\n", with: "\r")
    let marked: [UInt8] = [0xef, 0xbb, 0xbf] + plain
    let littleMarked: [UInt8] = [0xff, 0xfe] + Array(little)
    let bigMarked: [UInt8] = [0xfe, 0xff] + Array(big)
    let files: [[UInt8]] = [plain, marked, littleMarked, bigMarked, Array(oldMac.utf8)]
    for file in files {
      #expect(Self.lines(file) == ["a = 1", "b = \"é\"", "", "c = 3"])
      #expect(BootText(file).diagnostics == [])
    }
  }

  @Test("a line that is not text is left out, and reported unless it is a comment")
  func damagedLines() {
    // É in Latin-1, in a value and in a comment, and the bytes on a card after a power loss.
    let damaged = "a = 1\nb = \"?\"\n# caf?\n!!\n"
    let text = BootText(
      damaged.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "?"): 0xe9
        case UInt8(ascii: "!"): 0
        default: byte
        }
      })
    #expect(text.lines == [Array("a = 1".utf8), [], [], []])
    #expect(text.diagnostics.map(\.line) == [2, 4])
  }

  @Test("a file of zeros is reported in one sentence")
  func zeros() {
    let text = BootText((0..<22).map { $0 % 2 == 0 ? 0x0b : 0x0a })
    #expect(text.diagnostics.count == 1)
    #expect(text.diagnostics.first?.text.hasPrefix("and 10 more lines") == true)
    #expect(BootText([UInt8](repeating: 0, count: 5000)).diagnostics.count == 1)
  }

  @Test("nothing of a file that is too long is used, and an empty one is reported")
  func lengths() {
    let line = Array("a = 1\n".utf8)
    let long = [UInt8](repeating: 0x20, count: BootText.maxSize - line.count)
    #expect(BootText(line + long).lines.first == Array("a = 1".utf8))
    #expect(BootText(line + long).diagnostics == [])
    #expect(BootText(line + long + [0x20]).lines == [])
    #expect(BootText(line + long + [0x20]).diagnostics.count == 1)
    for empty in ["", "\n", " \r\n\t\r\n", "\u{feff}"] {
      let text = BootText(Array(empty.utf8))
      #expect(text.diagnostics.first?.text.hasPrefix("The file is empty") == true)
    }
  }
}
