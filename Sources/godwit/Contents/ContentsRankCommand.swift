import ArgumentParser
import Contents
import Notation
import Places
import Store

/// `godwit contents rank`: says once how good one is.
struct ContentsRankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rank", abstract: "Rank a content, once.")

  @OptionGroup var options: ContentOptions
  @Argument(help: "1 to 5, the best.") var rank: Int

  func validate() throws {
    guard ContentTally.ranks.contains(rank) else {
      throw ValidationError("\(rank) is no rank: give 1 to 5")
    }
  }

  func run() throws { try options.count(.ranked(rank)) }
}

/// `godwit contents comment`: tells whoever has made one what one thinks of it.
struct ContentsCommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Say something about a content, for its maker.",
    discussion: "Comments are in the store, and in godwit places statistics.")

  @OptionGroup var options: ContentOptions
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

  func run() throws { try options.count(.commented(text)) }
}
