import ArgumentParser

/// `godwit letterboxes`: places into which others put letters.
struct LetterboxesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "letterboxes", abstract: "Manage letterboxes at places.",
    subcommands: [
      LetterboxesListCommand.self, LetterboxesAddCommand.self, LetterboxesRemoveCommand.self,
    ], defaultSubcommand: LetterboxesListCommand.self)
}
