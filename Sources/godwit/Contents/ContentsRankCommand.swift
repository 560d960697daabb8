import ArgumentParser
import Records
import Core
import Places
import Store

/// `godwit contents rank`: ranks a content, once.
struct ContentsRankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rank", abstract: "Rank a content, once.", discussion: AuthorOptions.discussion)

  @OptionGroup var options: ContentOptions
  @OptionGroup var maker: AuthorOptions
  @Argument(help: "1 to 5, the best.") var rank: Int

  func validate() throws {
    guard ContentCounts.ranks.contains(rank) else {
      throw ValidationError("\(rank) is no rank: give 1 to 5")
    }
  }

  func run() throws { try maker.count(.ranked(rank), "ranked \(rank) of 5", options) }
}

/// `godwit contents comment`: stores a comment on a content.
struct ContentsCommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Comment on a content.",
    discussion: AuthorOptions.discussion)

  @OptionGroup var options: ContentOptions
  @OptionGroup var maker: AuthorOptions
  @Argument(help: "What is said.") var text: String

  func validate() throws {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("the comment is empty: say something")
    }
    guard text.utf8.count <= PlaceLimits.description else {
      throw ValidationError(
        "\(text.utf8.count) bytes: shorten the comment to \(PlaceLimits.description) at most")
    }
  }

  func run() throws { try maker.count(.commented(text), text, options) }
}
