import ArgumentParser
import Store

struct StoreRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in the place of the store.",
    discussion: """
      The daemon has to be stopped. The backup is checked first and stays where it is; the present \
      store is kept under a new name.
      """)

  @Argument(help: "The backup, or any store.", completion: .file(extensions: ["gpkg"]))
  var file: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    try ProtectedStores([path]).refuse(file, namedBy: "restore from")
    let goesOn = StoreCommand.goesOn
    let kept = try StoreCommand.run {
      let check = try StoreCheck(path: file)
      guard !check.asksForRepair else {
        let first = check.problems.first { $0.kind != .reference && $0.kind != .order }
        throw CommandError.failed(
          "\(file) is not sound (\((first?.text ?? "").harmless)); nothing was changed: see all of "
            + "it with `godwit store check --store \(file)`, and mend it with `godwit store repair`"
        )
      }
      return try StoreBackup(goesOn: goesOn).restore(file, to: path)
    }
    let before = kept.map { "; the store as it was is \($0)" } ?? ""
    try OutputBytes.print("\(path): restored from \(file)\(before)")
  }
}
