import ArgumentParser
import Store

struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Give the room of deleted records back to the disk.",
    discussion: """
      The daemon has to be stopped. It would use that room for new records: this is for a store \
      that shall stay smaller. A power cut in it undoes it. Takes as much free room as the store.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    let compaction = try StoreCommand.run { try StoreCompaction(path: path) }
    try OutputBytes.print(
      "\(path): \(compaction.bytesBefore) bytes before, \(compaction.bytesAfter) after")
  }
}
