import ArgumentParser
import Records

/// Which content something is done with, and how the outcome is told.
struct ContentOptions: ParsableArguments {
  @Argument(help: "Its title, its UUID, or the first digits of that.") var content: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print the content as a JSON object, as it is afterwards.") var json = false

  func found() throws -> ListedContent { try store.contents().content(content) }

  /// One that is to be seen has to be there.
  func shown() throws -> ListedContent {
    let found = try found()
    guard found.isThere else {
      throw CommandError.failed("no place has \"\(found.item.title)\" any more")
    }
    return found
  }

  /// Does it, and says how the content stands where that was asked for.
  func count(_ action: ContentUse) throws {
    let after = try store.count(action, of: try found())
    if json { try OutputBytes.print(after.json) }
  }
}
