import ArgumentParser
import Store

/// `godwit alerts list`: all alerts, and whether they are in force.
struct AlertsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the alerts and their faults.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let table = try store.alerts(namingPlaces: true)
    var listing = Listing(json: json, ListedAlert.columns, fitsRows: true)
    for row in table.rows { try listing.add(row) }
    try listing.finish()
  }
}
