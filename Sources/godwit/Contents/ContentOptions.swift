import ArgumentParser
import Records

/// The content that a command applies to, and the form of its output.
struct ContentOptions: ParsableArguments {
  @Argument(help: "Title or UUID (or its first digits) of the content.") var content: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print the changed content as a JSON object.") var json = false

  func found() throws -> ListedContent { try store.contents().content(content) }

  /// A content can be viewed only while a place has it.
  func shown() throws -> ListedContent {
    let found = try found()
    guard found.isThere else {
      throw CommandError.failed("no place has \"\(found.item.title)\" any more")
    }
    return found
  }

  /// Performs the action, and prints the resulting content if requested.
  func count(_ action: ContentUse) throws {
    let after = try store.count(action, of: try found())
    if json { try OutputBytes.print(after.json) }
  }
}
