import ArgumentParser
import Store

/// `godwit alerts remove`: deletes an alert.
struct AlertsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an alert.")

  @Argument(help: "Name or number of the alert.") var alert: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let row = try store.alerts().row(alert)
    try store.editAlerts { try $0.remove(row) }
  }
}
