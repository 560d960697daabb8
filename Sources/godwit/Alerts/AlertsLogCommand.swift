import ArgumentParser
import Formats
import Core
import Records
import Store

/// `godwit alerts log`: the raised alerts, and the results of the command.
struct AlertsLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List the notices that alerts have raised.",
    discussion: ListingOptions.discussion)

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var listing = Listing(json: options.json, Notice.columns, fitsRows: true)
      try listing.finish(with: try reader.notices(in: options.times.range))
    }
  }
}
