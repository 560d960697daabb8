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
      A line of JSON for each. Others take it with `godwit letters import`, each what is meant for \
      that person; taken twice it changes nothing. It is not sealed: whoever can read the file \
      can read the letters. A new file is its owner's alone.
      """)

  @Argument(
    help: "The file, which is replaced when all is written; - or nothing is standard output.",
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
