import ArgumentParser

/// `godwit contents`: the contents of places, and their use.
struct ContentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contents",
    abstract: "See what places show, keep it, rank it, put it into a calendar.",
    discussion: """
      Contents are parts of places; godwit places add and import bring them. When the board \
      enters a place, the one with the highest score is shown: ten times the score of its type, \
      less one for each time that it was shown, five for each look at it and 100 for each \
      calendar. A content is meant by its title, its UUID, or the first digits of that. What is \
      done is in the table content_actions of the store.
      """,
    subcommands: [
      ContentsListCommand.self, ContentsShowCommand.self, ContentsSaveCommand.self,
      ContentsSavedCommand.self, ContentsRankCommand.self, ContentsCommentCommand.self,
      ContentsCalendarCommand.self, ContentsRemoveCommand.self, ContentsInterestsCommand.self,
      ContentsLogCommand.self,
    ], defaultSubcommand: ContentsListCommand.self)
}
