import ArgumentParser
import Ports
import Core
import Store

/// The option for the store that a command uses.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Store file. Default: store.path of the settings.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @OptionGroup var configuration: ConfigOptions

  func path() throws -> String {
    guard let store else { return try configuration.load().settings.store.path }
    // Errors in the settings are reported even if no setting is needed.
    if !configuration.words.isEmpty { _ = try configuration.load() }
    return store
  }

  /// Opens the store for reading, and reports any error in one line.
  func read(_ body: (StoreReader) throws -> Void) throws {
    do {
      try body(try StoreReader(path: try path()))
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
  }
}

/// The time range of a listing.
struct RangeOptions: ParsableArguments {
  @Option(help: LocalTime.help("Only entries at or after this time."), transform: LocalTime.read)
  var from: LocalTime?

  @Option(
    help: ArgumentHelp("Only entries before this time.", valueName: "time"),
    transform: LocalTime.read)
  var to: LocalTime?

  func validate() throws {
    guard let from, let to, from.instant >= to.instant else { return }
    throw ValidationError("--from must be before --to")
  }

  var range: TimeRange { TimeRange(from: from?.instant, to: to?.instant) }
}

/// The common options of listings.
struct ListingOptions: ParsableArguments {
  static let discussion = """
    Times in the table are local, with their zone in the hour that repeats when clocks go back; \
    times in the JSON are UTC.
    """

  @OptionGroup var store: StoreOptions
  @OptionGroup var times: RangeOptions
  @Flag(help: "Print a JSON array.") var json = false
}
