import CSQLite
import Platform
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Resources released with an object: descriptors and library handles.
@Suite(.serialized) struct OwnerTests {
  private static let rounds = 30

  @Test("a class that owns a descriptor or handle releases it, also after a failure half way")
  func givenBack() throws {
    for owner in Owner.all {
      let folder = try ScratchFolder()
      // Resources that a library keeps permanently exist after the first time.
      for _ in 0..<3 { try owner.live(folder) }
      let before = Holdings.now
      for _ in 0..<Self.rounds { try owner.live(folder) }
      let grown = Holdings.settled(asMuchAs: before)
      #expect(
        grown.descriptors <= before.descriptors,
        "\(owner.name): \(grown.descriptors - before.descriptors) descriptors more")
      #expect(
        grown.sqliteBytes <= before.sqliteBytes,
        "\(owner.name): \(grown.sqliteBytes - before.sqliteBytes) bytes more of SQLite's")
    }
  }

  @Test("every class of the sources that releases a resource has a case, or a reason")
  func complete() throws {
    let found = try Sources.owners()
    let cases = Set(Owner.all.flatMap(\.classes))
    #expect(found.count > 40)
    #expect(found.subtracting(cases).subtracting(Owner.without.keys).sorted() == [])
    #expect(cases.union(Owner.without.keys).subtracting(found).sorted() == [], "gone")
    #expect(cases.intersection(Owner.without.keys).sorted() == [])
  }
}

/// The resources that this process holds.
struct Holdings: Equatable {
  var descriptors: Int
  var sqliteBytes: Int64

  static var now: Holdings {
    var count = 0
    if let folder = opendir("/proc/self/fd") {
      defer { closedir(folder) }
      while readdir(folder) != nil { count += 1 }
    }
    return Holdings(descriptors: count, sqliteBytes: sqlite3_memory_used())
  }

  /// A library's thread, or an ended program, may hold a resource a moment longer.
  static func settled(asMuchAs before: Holdings) -> Holdings {
    var seen = now
    for _ in 0..<100 where seen.descriptors > before.descriptors {
      usleep(50_000)
      seen = now
    }
    return seen
  }
}

/// The sources of the program.
enum Sources {
  /// Names of classes with an action in `deinit`.
  static func owners() throws -> Set<String> {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    var names: Set<String> = []
    var waiting = [root + "/Sources"]
    while let path = waiting.popLast() {
      guard let listing = opendir(path) else { continue }
      defer { closedir(listing) }
      while let entry = readdir(listing) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard !name.hasPrefix(".") else { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) { waiting.append("\(path)/\(name)") }
        guard name.hasSuffix(".swift") else { continue }
        names.formUnion(owners(in: try text(of: "\(path)/\(name)")))
      }
    }
    return names
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try SystemFiles.bytes(of: path, atMost: 1 << 20), as: UTF8.self)
  }

  private static func owners(in text: String) -> Set<String> {
    var names: Set<String> = []
    var current = ""
    for line in text.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == ":" || $0 == "{" || $0 == "<" }
      if let at = words.firstIndex(of: "class"), at + 1 < words.count,
        !line.contains("//"), words[..<at].allSatisfy({ modifiers.contains(String($0)) })
      {
        current = String(words[at + 1])
      }
      if words.first == "deinit" { names.insert(current) }
    }
    return names
  }

  private static let modifiers: Set = ["public", "final", "private", "fileprivate", "package"]
}
