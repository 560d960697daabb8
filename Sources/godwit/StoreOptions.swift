import ArgumentParser
import Ports
import Store

/// Which store a command reads.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store. Without it, store.path of the settings.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @OptionGroup(visibility: .hidden) var configuration: ConfigOptions

  func path() throws -> String {
    if let store { return store }
    return try configuration.load().settings.store.path
  }

  /// Opens the store for reading and says in one line what went wrong if anything does.
  func read(_ body: (StoreReader) throws -> Void) throws {
    do {
      try body(try StoreReader(path: try path()))
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
  }
}
