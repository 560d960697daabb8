import ArgumentParser
import Messaging

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit letters export`: writes the letters for others to a file.
struct LettersExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write your letters, letterboxes and receipts for others.",
    discussion: """
      Each is a line of JSON. Others import the file with `godwit letters import`, which accepts \
      only items for that person; importing it twice changes nothing. The file is not encrypted: \
      anyone who can read it can read the letters. A new file is readable only by its owner.
      """)

  @Argument(
    help: "Output file, replaced once everything is written; - is standard output, the default.",
    completion: .file())
  var file = "-"
  @OptionGroup var store: StoreOptions

  func run() throws {
    let bytes = try store.people().messaging.letterFile.flatMap(LetterFile.line)
    do {
      guard file != "-" else {
        return try OutputBytes.write(bytes, to: STDOUT_FILENO, name: "standard output")
      }
      try store.protected().refuse(file, namedBy: "export to")
      let output = try AtomicFile(path: file, mode: 0o600)
      try output.write(bytes)
      try output.commit()
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
  }
}
