import ArgumentParser
import Records
import Messaging
import Core
import Places

/// Feedback on a content, as a letter to its author, left at the content's place.
private struct AuthorLetter {
  private let letter: Letter
  private let store: StoreOptions

  /// - Parameter words: the feedback.
  /// - Throws: if no letter would reach the author, before anything is done.
  init(_ words: String, about content: ListedContent, _ store: StoreOptions) throws {
    self.store = store
    guard let place = content.place else {
      throw CommandError.failed(
        "no place has \"\(TerminalText.line(content.item.title))\" any more, so its author is "
          + "unknown: leave out --letter")
    }
    guard !store.visitor.isMeant(by: place.owner) else {
      throw CommandError.failed(
        "\(TerminalText.line(place.name)) is yours: see `godwit places statistics`")
    }
    guard let maker = try? PersonAddress(place.owner) else {
      throw CommandError.failed(
        "the owner of \(TerminalText.line(place.name)), \(TerminalText.line(place.owner)), is not "
          + "a valid address for letters: leave out --letter")
    }
    var table = try store.people()
    let circle = try SpecifiedLocation(place).letterCircle(radius: nil)
    letter = try CommandError.usage { () throws(MessageError) in
      try Letter(
        id: .new, from: table.me, to: .people([maker]), at: .circle(circle), written: table.date,
        expires: nil, text: "\(content.item.title): \(words)")
    }
    // A rank can be given only once, so the room for the letter is checked first.
    _ = try table.apply(PeopleAction(.wrote(letter), of: letter.id))
  }

  func send() throws {
    try store.perform { _ in PeopleAction(.wrote(letter), of: letter.id) }
  }
}

/// Whether the author of a content receives the feedback.
struct AuthorOptions: ParsableArguments {
  static let discussion = """
    It stays on the board, in the store and in godwit places statistics. With --letter it is \
    also left as a letter at the place, for the owner that `godwit places show` prints; like \
    every letter, it travels over a broker, or in a file of `godwit letters export`.
    """

  @Flag(help: "Also leave it as a letter for the owner of the place.") var letter = false

  /// - Parameter words: the text of the letter.
  func count(_ action: ContentUse, _ words: String, _ options: ContentOptions) throws {
    let made =
      letter ? try AuthorLetter(words, about: try options.found(), options.store) : nil
    try options.count(action)
    try made?.send()
  }
}
