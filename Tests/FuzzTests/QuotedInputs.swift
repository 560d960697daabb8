import Foundation

/// The inputs of Tests/Fuzz/seeds and Tests/Fuzz/found: one a line, in quotes, in the notation of
/// libFuzzer's dictionaries.
struct QuotedInputs {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz")

  let inputs: [[UInt8]]

  /// - Parameter name: below Tests/Fuzz: "found/gpsd.txt".
  init(_ name: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    inputs = text.split(separator: "\n").filter { $0.hasPrefix("\"") }
      .map { Self.bytes(Array($0.dropFirst().dropLast().utf8)) }
  }

  /// Knows `\xHH`, `\"` and `\\`.
  private static func bytes(_ quoted: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < quoted.count {
      let isEscape = quoted[index] == UInt8(ascii: "\\") && index + 1 < quoted.count
      if isEscape, quoted[index + 1] == UInt8(ascii: "x"), index + 3 < quoted.count {
        let digits = String(decoding: quoted[(index + 2)...(index + 3)], as: UTF8.self)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
        index += 4
      } else {
        bytes.append(quoted[isEscape ? index + 1 : index])
        index += isEscape ? 2 : 1
      }
    }
    return bytes
  }
}
