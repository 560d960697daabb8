import ArgumentParser

/// `godwit contents`: the contents of places, and their use.
struct ContentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contents",
    abstract: "Show, save and rank the contents of places, and write calendar events.",
    discussion: """
      Contents are parts of places; add them with godwit places add or import. When the board \
      enters a place, the content with the highest score is shown. The score is ten times the \
      score of its type, minus 1 for each time that it was shown, 5 for each view, and 100 for \
      each calendar event. Specify a content by its title, its UUID, or the first digits of the \
      UUID. The store keeps all actions in the table content_actions.
      """,
    subcommands: [
      ContentsListCommand.self, ContentsShowCommand.self, ContentsSaveCommand.self,
      ContentsSavedCommand.self, ContentsRankCommand.self, ContentsCommentCommand.self,
      ContentsCalendarCommand.self, ContentsRemoveCommand.self, ContentsInterestsCommand.self,
      ContentsLogCommand.self,
    ], defaultSubcommand: ContentsListCommand.self)
}
