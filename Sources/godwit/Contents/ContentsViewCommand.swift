import ArgumentParser
import Store

/// `godwit contents view`: looks at one.
struct ContentsViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Look at a content, which is counted.")

  @OptionGroup var options: ContentOptions

  func run() throws {
    let after = try options.store.count(.viewed, of: try options.shown())
    try OutputBytes.print(options.json ? after.json : after.page)
  }
}

/// `godwit contents save`: keeps one to be looked at later.
struct ContentsSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Keep a content to be looked at later.")

  @OptionGroup var options: ContentOptions

  func run() throws { try options.count(.saved) }
}

/// `godwit contents delete`: no longer keeps one.
struct ContentsDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Take a content out of those that are kept for later.")

  @OptionGroup var options: ContentOptions

  func run() throws { try options.count(.deleted) }
}
