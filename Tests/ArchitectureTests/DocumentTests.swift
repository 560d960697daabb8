import Foundation
import Testing

/// Documents that name things that no longer exist mislead more than no documents.
@Suite struct DocumentTests {
  static let documents = ["README.md"] + markdown(in: "docs")

  private static func markdown(in folder: String) -> [String] {
    let path = SourceText.package.appendingPathComponent(folder).path
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  private func text(_ document: String) throws -> String {
    try String(contentsOf: SourceText.package.appendingPathComponent(document), encoding: .utf8)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(
      atPath: SourceText.package.appendingPathComponent(path).standardized.path)
  }

  /// Paths start at the package or, like `Runtime/Daemon.swift`, below Sources. NAME is a
  /// placeholder.
  @Test("files and folders that a document names exist", arguments: documents)
  func files(document: String) throws {
    let text = try text(document)
    for match in text.matches(of: /`((?:Sources|Tests|docs|board|udev|\.ci)\/[\w.+\/-]+)`/) {
      let path = String(match.1)
      #expect(path.contains("NAME") || exists(path), "\(document) names \(path)")
    }
    for match in text.matches(of: /`([A-Z]\w+\/[\w+\/]+\.swift)`/)
    where !match.1.hasPrefix("Sources/") && !match.1.hasPrefix("Tests/") {
      #expect(exists("Sources/\(match.1)"), "\(document) names \(match.1)")
    }
    let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
    for match in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
      #expect(exists(folder + match.1), "\(document) links to \(match.1)")
    }
  }

  @Test("the table of modules names every module, and no other") func modules() throws {
    let rows = try text("docs/design/architecture.md").matches(of: /(?m)^\| `(\w+)` \|/)
    let subjects = try Module.all.get().flatMap(\.subjects)
    #expect(rows.map { String($0.1) }.sorted() == subjects.sorted())
  }

  @Test("types and settings that the glossary names exist")
  func glossary() throws {
    // Regular expressions take minutes for all the code with Swift 6.0.
    let lines = try SourceText.sources.get().flatMap(\.lines)
    let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias"]
    var types: Set<Substring> = []
    var settings: Set<Substring> = []
    for line in lines {
      let words = line.utf8.split { !$0.isOfWord }.compactMap(Substring.init)
      for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
        types.insert(next)
      }
      settings.formUnion(line.utf8.split(separator: UInt8(ascii: "\"")).compactMap(Substring.init))
    }
    let glossary = try text("docs/design/glossary.md")
    for match in glossary.matches(of: /`([A-Z]\w+)(?:\.\w+)?`/) where !exists(String(match.1)) {
      #expect(types.contains(match.1), "docs/design/glossary.md names the type \(match.1)")
    }
    for match in glossary.matches(of: /`[a-z]\w*(?:\.[a-z]\w*)*\.([a-z]\w*)`/) {
      #expect(settings.contains(match.1), "docs/design/glossary.md names the setting \(match.1)")
    }
  }
}

extension UInt8 {
  /// Part of a name in code, as UTF-8: letters, digits, "_" and everything outside ASCII.
  var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
