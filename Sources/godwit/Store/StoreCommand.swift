import ArgumentParser
import Glibc
import Ports
import Store

/// `godwit store`: the care of the file that holds everything.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check, repair, compact, back up and restore the store.",
    discussion: """
      'check' and 'backup' work while the daemon runs; the others ask for it to be stopped. \
      Nothing is ever written over the only copy: what is replaced is kept under a new name.
      """,
    subcommands: [
      StoreCheckCommand.self, StoreRepairCommand.self, StoreCompactCommand.self,
      StoreBackupCommand.self, StoreRestoreCommand.self,
    ])

  /// Runs what may fail for the store's reasons, and says them in one line.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    }
  }

  /// Ends work that leaves nothing behind when it is ended.
  static var goesOn: () -> Bool {
    Interruption.watch()
    return { !Interruption.isWanted }
  }

  static func size(_ bytes: Int) -> String { "\((bytes + 999) / 1000) kB" }
}
