import ArgumentParser
import Records
import Core
import Places
import Store

/// `godwit contents rank`: ranks a content, once.
struct ContentsRankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rank", abstract: "Rank a content (only once).",
    discussion: AuthorOptions.discussion)

  @OptionGroup var options: ContentOptions
  @OptionGroup var maker: AuthorOptions
  @Argument(help: "Rank, 1 to 5; 5 is the best.") var rank: Int

  func validate() throws {
    guard ContentCounts.ranks.contains(rank) else {
      throw ValidationError("\(rank) is not a rank: use 1 to 5")
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
  @Argument(help: "Text of the comment.") var text: String

  func validate() throws {
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("the comment is empty: write a text")
    }
    guard text.utf8.count <= PlaceLimits.description else {
      throw ValidationError(
        "\(text.utf8.count) bytes: shorten the comment to at most \(PlaceLimits.description)")
    }
  }

  func run() throws { try maker.count(.commented(text), text, options) }
}
