import ArgumentParser
import Store

struct StoreRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of the store.",
    discussion: """
      The daemon has to be stopped. The backup is checked first and stays where it is: a damaged \
      one is refused, what is wrong with single rows is told. The present store is kept under a \
      new name.
      """)

  @Argument(help: "The backup, or any store.", completion: .file(extensions: ["gpkg"]))
  var file: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    try ProtectedStores([path]).refuse(file, namedBy: "restore from")
    let copy = try StoreCommand.run { try StoreBackup().restore(file, to: path) }
    let before = copy.keptAs.map { "; the store as it was is \($0)" } ?? ""
    try OutputBytes.print("\(path): restored from \(file)\(before)")
    StoreCommand.tell(copy, of: file)
  }
}
