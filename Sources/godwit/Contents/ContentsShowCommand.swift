import ArgumentParser
import Store

/// `godwit contents show`: looks at one.
struct ContentsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a content; the view is counted.")

  @OptionGroup var options: ContentOptions

  func run() throws {
    let after = try options.store.count(.viewed, of: try options.shown())
    try OutputBytes.print(options.json ? after.json : after.page)
  }
}

/// `godwit contents save`: keeps one to be looked at later.
struct ContentsSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a content for later.")

  @OptionGroup var options: ContentOptions

  func run() throws { try options.count(.saved) }
}

/// `godwit contents remove`: no longer keeps one.
struct ContentsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a content from those saved for later.")

  @OptionGroup var options: ContentOptions

  func run() throws { try options.count(.deleted) }
}
