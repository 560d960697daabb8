import ArgumentParser

/// `godwit alerts`: what people want to be told of.
struct AlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "Be told when the board comes to places, leaves or is moved.",
    discussion: """
      An alert is meant by its name or its number. Alerts are in the table alerts of the store, \
      and what they have raised is in its layer notices. What is run then is alerts.command of \
      the settings.
      """,
    subcommands: [
      AlertsListCommand.self, AlertsShowCommand.self, AlertsAddCommand.self,
      AlertsRemoveCommand.self, AlertsArmCommand.self, AlertsDisarmCommand.self,
      AlertsTestCommand.self,
      AlertsLogCommand.self, AlertsExecuteCommand.self,
    ], defaultSubcommand: AlertsListCommand.self)
}
