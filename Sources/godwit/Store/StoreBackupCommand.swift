import ArgumentParser
import Store

struct StoreBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into one file, while the daemon writes.",
    discussion: """
      Never copy the file of a running daemon by other means: the contents of its log file would \
      be missing. The copy is checked, is on the disk when the command ends, and appears complete \
      or not at all. Faulty rows are copied and reported. Any program that reads GeoPackage opens \
      it.
      """)

  @Argument(help: "Where to.", completion: .file()) var file: String
  @Flag(help: "Replace an existing file.") var force = false
  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    try store.protected().refuse(file, namedBy: "backup to")
    let copy = try StoreCommand.run { try StoreBackup().save(path, to: file, replacing: force) }
    try OutputBytes.print("\(path): all of it is in \(file), \(copy.bytes) bytes, checked")
    StoreCommand.report(copy, of: path)
  }
}
