import ArgumentParser
import Store

/// `godwit contents show`: shows a content.
struct ContentsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a content, and count the view.")

  @OptionGroup var options: ContentOptions

  func run() throws {
    let after = try options.store.count(.viewed, of: try options.shown())
    try OutputBytes.print(options.json ? after.json : after.page)
  }
}

/// `godwit contents save`: saves a content for later.
struct ContentsSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a content for later.")

  @OptionGroup var options: ContentOptions

  func run() throws { try options.count(.saved) }
}

/// `godwit contents remove`: removes a content from the saved ones.
struct ContentsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a content from the saved ones.")

  @OptionGroup var options: ContentOptions

  func run() throws { try options.count(.deleted) }
}
