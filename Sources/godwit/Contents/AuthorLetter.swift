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
        "no place has \"\(TerminalText.line(content.item.title))\" any more, and nobody knows who "
          + "has made it: leave out --letter")
    }
    guard !store.visitor.isMeant(by: place.owner) else {
      throw CommandError.failed(
        "\(TerminalText.line(place.name)) is yours: you have it in `godwit places statistics`")
    }
    guard let maker = try? PersonAddress(place.owner) else {
      throw CommandError.failed(
        "the owner of \(TerminalText.line(place.name)), \(TerminalText.line(place.owner)), is no "
          + "address that letters go to: leave out --letter")
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
    Nothing of it leaves the board by itself: it is in the store, and in godwit places statistics. \
    With --letter it lies as a letter at the place, too, for the owner of the place as \
    `godwit places show` has it, who gets it there like every letter: over a broker, or by the \
    file of `godwit letters export`.
    """

  @Flag(help: "Leave it as a letter for the owner of the place, too.") var letter = false

  /// - Parameter words: the text of the letter.
  func count(_ action: ContentUse, _ words: String, _ options: ContentOptions) throws {
    let made =
      letter ? try AuthorLetter(words, about: try options.found(), options.store) : nil
    try options.count(action)
    try made?.send()
  }
}
