import ArgumentParser
import Store

#if canImport(Glibc)
  import Glibc
#endif

struct StoreRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the store by a backup.",
    discussion: """
      The daemon has to be stopped. The backup is checked first and stays where it is: a damaged \
      one is refused, faulty rows are reported. The present store is kept under a new name.
      """)

  @Argument(help: "The backup, or any store.", completion: .file(extensions: ["gpkg"]))
  var file: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    try ProtectedStores([path]).refuse(file, namedBy: "restore from")
    // Shows what is replaced; for a damaged store that may be unknown.
    let present = StoreFiles(path).isThere ? try? StoreCheck(path: path) : nil
    let copy = try StoreCommand.run { try StoreBackup().restore(file, to: path) }
    var lines = ["\(path): restored from \(file), with \(StoreCommand.rows(copy.check))"]
    if let kept = copy.keptAs {
      let files = StoreFiles(kept).all.filter { access($0, F_OK) == 0 }
      let rows = present.map { ", with \(StoreCommand.rows($0))" } ?? ""
      lines.append("the store as it was\(rows): \(files.joined(separator: " and "))")
    }
    try OutputBytes.print(lines.joined(separator: "\n"))
    StoreCommand.report(copy, of: file)
  }
}
