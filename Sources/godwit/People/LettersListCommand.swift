import ArgumentParser

/// `godwit letters list`: waiting and unread letters, and the owner's own.
struct LettersListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the letters for you, and those that you left.",
    discussion: """
      A letter for you waits, is near, or was delivered and can be read; the text of a waiting \
      letter is not shown here, only at its place. A letter of yours is written, or is at its \
      place once a broker has it; its outcome is shown for each addressee.
      """)

  @Flag(help: "Include letters that were read, have expired or were refused.") var all = false
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
    discussion: "This marks it as read: you are no longer notified when it is near.")

  @Argument(help: "Id of the letter, or its first digits.") var letter: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let letter = try store.people().letter(letter)
    guard !letter.isHidden else {
      throw CommandError.failed(
        "the letter waits: it can be read only at its place, \(letter.place)")
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
    case .withdrawn: "its sender has withdrawn it"
    case .expired: "it has expired"
    case .refused: record?.reason?.text(of: key.from) ?? "it was refused"
    case .waiting, .delivered, .read, nil:
      "it was delivered, but its text is no longer kept on this board"
    }
  }
}
