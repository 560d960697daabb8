import ArgumentParser

/// `godwit alerts`: the alerts about the board.
struct AlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "Manage arrival, departure and movement alerts.",
    discussion: """
      Name an alert by its name or its number. Alerts are in the table alerts of the store, and \
      the notices that they raised in its layer notices. Set alerts.command to run a program for \
      each notice.
      """,
    subcommands: [
      AlertsListCommand.self, AlertsShowCommand.self, AlertsAddCommand.self,
      AlertsEditCommand.self, AlertsRemoveCommand.self, AlertsArmCommand.self,
      AlertsDisarmCommand.self, AlertsTestCommand.self, AlertsLogCommand.self,
      AlertsExecuteCommand.self,
    ], defaultSubcommand: AlertsListCommand.self)
}
