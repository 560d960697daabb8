import ArgumentParser

/// `godwit letters list`: waiting and unread letters, and the owner's own.
struct LettersListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the letters: those for you, and those you left.",
    discussion: """
      A letter for you waits, is near, or was delivered and can be read; what one says that only \
      waits is shown at its place and not here. One of your own is written, or lies at its place \
      as soon as a broker has it; what became of it stands beside it, by whom it was for.
      """)

  @Flag(help: "Those that were read, are over or were refused, too.") var all = false
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let letters = ListedLetter.all(of: try store.people())
    var listing = Listing(json: json, ListedLetter.columns, fitsRows: true)
    for letter in letters where all || letter.isOpen { try listing.add(letter) }
    try listing.finish()
  }
}

/// `godwit letters show`: shows the text of a letter.
struct LettersShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Read a letter that was delivered, or one of your own.",
    discussion: "It counts as read then: that it is near is not told any more.")

  @Argument(help: "Its id, or the first digits of that.") var letter: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let letter = try store.people().letter(letter)
    guard !letter.isHidden else {
      throw CommandError.failed("the letter waits: it is read where it lies, \(letter.place)")
    }
    guard letter.letter != nil else {
      throw CommandError.failed("the letter is not here: \(letter.absence)")
    }
    // Printed first: a letter counts as read only if it was shown.
    try OutputBytes.print(json ? letter.json : letter.page)
    guard letter.record?.status == .delivered else { return }
    try store.perform { _ in PeopleAction(.read(letter.key), of: letter.key.id) }
  }
}

extension ListedLetter {
  /// Why it cannot be read here.
  fileprivate var absence: String {
    switch record?.status {
    case .withdrawn: "whoever wrote it has taken it back"
    case .expired: "it is over"
    case .refused: record?.reason?.text(of: key.from) ?? "it was refused"
    case .waiting, .delivered, .read, nil:
      "it was delivered, and what it says is not kept on this board any more"
    }
  }
}
