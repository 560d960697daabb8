#if canImport(Glibc)
  import Glibc
#endif

/// The arguments after the program's name.
enum ProgramArguments {
  /// Swift's runtime finds them on the stack, below `environ` (CommandLine.cpp). A preloaded
  /// library that has called setenv(3) has moved `environ` to the heap: then
  /// `CommandLine.arguments` is empty, although a program has at least its own name. The kernel
  /// still has them (proc(5)).
  ///
  /// - Throws: for an argument that is not UTF-8. It would be taken as the name of another file.
  static func all() throws(CommandError) -> [String] {
    let words = try given()
    for word in words where word.contains("\u{FFFD}") {
      throw .wrongUsage(
        "'\(word)' is not UTF-8; rename the file, or use a link with a name in UTF-8")
    }
    return current(words)
  }

  /// Verbs of earlier versions, which still work in this one.
  static let former: [[String]: [String]] = [
    ["contacts", "rename"]: ["contacts", "edit"], ["contacts", "welcome"]: ["contacts", "allow"],
    ["contents", "view"]: ["contents", "show"], ["contents", "delete"]: ["contents", "remove"],
    ["letters", "write"]: ["letters", "add"], ["letters", "withdraw"]: ["letters", "remove"],
    ["letters", "answer"]: ["letters", "reply"], ["letters", "read"]: ["letters", "show"],
    ["letters", "boxes"]: ["letterboxes", "list"], ["letters", "box"]: ["letterboxes", "add"],
    ["letters", "remove-box"]: ["letterboxes", "remove"],
    ["groups", "create"]: ["groups", "add"], ["groups", "change"]: ["groups", "edit"],
    ["groups", "end"]: ["groups", "remove"],
    ["meetings", "hold"]: ["meetings", "add"], ["meetings", "change"]: ["meetings", "edit"],
    ["meetings", "cancel"]: ["meetings", "remove"], ["cells", "info"]: ["cells", "show"],
  ]

  /// The words with the verb that they mean in this version.
  static func current(_ words: [String]) -> [String] {
    former[Array(words.prefix(2))].map { $0 + words.dropFirst(2) } ?? words
  }

  private static func given() throws(CommandError) -> [String] {
    let arguments = CommandLine.arguments
    if !arguments.isEmpty { return Array(arguments.dropFirst()) }
    guard let file = fopen("/proc/self/cmdline", "re") else {
      throw .failed("the command line cannot be read; mount /proc, or preload no library")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return words(bytes)
  }

  /// Each argument ends with a NUL, and the first is the program's name.
  static func words(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
