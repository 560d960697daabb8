import ArgumentParser

/// `godwit letters`: what people leave for each other at places.
struct LettersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "letters", abstract: "Leave letters at places, and read those that lie there.",
    discussion: """
      A letter waits at its place until whom it is for comes by: what it says is told there and \
      nowhere else. Letters go over the broker of [uplink.mqtt], or from hand to hand as a file; \
      see docs/people.md.
      """,
    subcommands: [
      LettersListCommand.self, LettersReadCommand.self, LettersWriteCommand.self,
      LettersAnswerCommand.self, LettersWithdrawCommand.self, LettersBoxesCommand.self,
      LettersBoxCommand.self, LettersRemoveBoxCommand.self, LettersExportCommand.self,
      LettersImportCommand.self,
    ], defaultSubcommand: LettersListCommand.self)
}
