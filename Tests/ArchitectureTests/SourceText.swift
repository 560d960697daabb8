import Foundation

/// A source file, with and without its comments and the text of its strings.
struct SourceText {
  /// Relative to the package: "Sources/Tracking/Tracker.swift".
  let path: String
  let lines: [Substring]
  /// The same lines with comments and strings blanked out; code inside `\( )` stays.
  let code: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var stripper = Stripper(bytes: Array(text.utf8))
    stripper.code(until: nil)
    code = String(decoding: stripper.output, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The folder under Sources.
  var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  /// The folder within the module; empty for a file outside any folder.
  var folder: String {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : ""
  }
  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The package's own files, read and stripped once for all tests.
  static let sources = Result { try all(below: "Sources") }
  static let tests = Result { try all(below: "Tests") }

  /// All Swift files below a folder of the package, in the order of their paths.
  private static func all(below folder: String) throws -> [SourceText] {
    let root = package.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    // A build folder of Tests/Studies may contain other packages' sources.
    let own = paths.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
    return try own.sorted().map { path in
      let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
      return SourceText(path: "\(folder)/\(path)", text: text)
    }
  }
}

/// Blanks comments and strings, and keeps all line ends and columns.
private struct Stripper {
  let bytes: [UInt8]
  var output: [UInt8] = []
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    return index + count <= bytes.count
      && text.withUTF8Buffer { $0.elementsEqual(bytes[index..<index + count]) }
  }

  mutating func keep() {
    output.append(bytes[index])
    index += 1
  }

  mutating func blank(_ count: Int = 1) {
    for _ in 0..<count where index < bytes.count {
      output.append(bytes[index] == UInt8(ascii: "\n") ? UInt8(ascii: "\n") : UInt8(ascii: " "))
      index += 1
    }
  }

  /// Copies code up to the bracket that closes an interpolation, or to the end.
  mutating func code(until closing: UInt8?) {
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == closing, depth == 0 { return }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      if starts(with: "//") {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank() }
      } else if starts(with: "/*") {
        comment()
      } else if byte == UInt8(ascii: "\"") || isRawString {
        string()
      } else {
        keep()
      }
    }
  }

  private var isRawString: Bool {
    var end = index
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end > index && end < bytes.count && bytes[end] == UInt8(ascii: "\"")
  }

  private mutating func comment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        blank(2)
      } else if starts(with: "*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && index < bytes.count
  }

  private mutating func string() {
    var hashes = 0
    while bytes[index] == UInt8(ascii: "#") {
      hashes += 1
      blank()
    }
    let quotes = starts(with: "\"\"\"") ? 3 : 1
    blank(quotes)
    let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    let end =
      Array(repeating: UInt8(ascii: "\""), count: quotes)
      + Array(repeating: UInt8(ascii: "#"), count: hashes)
    while index < bytes.count {
      if bytes[index...].starts(with: end) { return blank(end.count) }
      if bytes[index...].starts(with: escape) {
        blank(escape.count)
        guard index < bytes.count else { return }
        if bytes[index] == UInt8(ascii: "(") {
          blank()
          code(until: UInt8(ascii: ")"))
        }
      }
      blank()
    }
  }
}
