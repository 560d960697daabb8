import ArgumentParser
import Store

struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Return the space of deleted records to the disk.",
    discussion: """
      The daemon has to be stopped. It would use that space for new records: this is for a store \
      that is to stay smaller. A power cut meanwhile undoes it. Needs as much free space as the \
      store.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    let compaction = try StoreCommand.run { try StoreCompaction(path: path) }
    try OutputBytes.print(
      "\(path): \(compaction.bytesBefore) bytes before, \(compaction.bytesAfter) after")
  }
}
