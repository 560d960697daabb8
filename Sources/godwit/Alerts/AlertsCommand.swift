import ArgumentParser

struct AlertsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: "What is told when the board comes to places and leaves them.",
    // Nothing in it is for people yet.
    shouldDisplay: false,
    subcommands: [AlertsExecuteCommand.self])
}
