import ArgumentParser

/// `godwit letters`: letters that people leave for each other at places.
struct LettersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "letters", abstract: "Leave letters at places, and read those you receive.",
    discussion: """
      A letter is delivered when its addressee comes near its place, and can be read nowhere else. \
      Letters travel over the broker of [uplink.mqtt], or by hand as a file; see \
      docs/manual/letters-groups-meetings.md.
      """,
    subcommands: [
      LettersListCommand.self, LettersShowCommand.self, LettersAddCommand.self,
      LettersReplyCommand.self, LettersRemoveCommand.self, LettersExportCommand.self,
      LettersImportCommand.self,
    ], defaultSubcommand: LettersListCommand.self)
}
