import ArgumentParser

/// `godwit alerts`: the alerts about the board.
struct AlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "Manage arrival, departure and movement alerts.",
    discussion: """
      Specify an alert by its name or its number. The store keeps alerts in the table alerts, and \
      the notices that they raised in the layer notices. Set alerts.command to run a program for \
      each notice.
      """,
    subcommands: [
      AlertsListCommand.self, AlertsShowCommand.self, AlertsAddCommand.self,
      AlertsEditCommand.self, AlertsRemoveCommand.self, AlertsArmCommand.self,
      AlertsDisarmCommand.self, AlertsTestCommand.self, AlertsLogCommand.self,
      AlertsExecuteCommand.self,
    ], defaultSubcommand: AlertsListCommand.self)
}
