import ArgumentParser
import Messaging
import Core

/// `godwit letters add`: leaves a letter at a place.
struct LettersAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Leave a letter at a place.",
    discussion: """
      It is delivered within a circle of --radius metres, by default 20. With --place the letter \
      uses the circle and the name of a place of the store; for an area, the circle around its \
      bounding box. A letter that was sent cannot be changed: withdraw it, and write another one.
      """)

  @Option(help: ArgumentHelp("Addressees: \(PeopleNames.help).", valueName: "people")) var to:
    String
  @OptionGroup var spot: LocationOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Delivery radius.", valueName: "m"))
  var radius: Double?
  @Option(help: "Letterbox, by name or id (or its first digits).")
  var box: String?
  @Option(help: LocalTime.help("Expiry time."), transform: LocalTime.read)
  var expires: LocalTime?
  @OptionGroup var text: LetterText
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard spot.isGiven != (box != nil) else {
      throw ValidationError("specify the position with one of --place, --at and --box")
    }
    guard radius == nil || box == nil else {
      throw ValidationError("a letterbox has its own circle: --radius belongs to --place and --at")
    }
  }

  func run() throws { try store.creatingIfNamed(write) }

  private func write() throws {
    let circle = try spot.spot(store)?.letterCircle(radius: radius)
    let text = try text.read()
    let id = UniqueID.new
    try store.perform { table in
      try table.checkIsAhead(expires, "--expires")
      let to = try table.names.addressees(to)
      let spot: Letter.Spot
      if let circle {
        spot = .circle(circle)
      } else {
        let box = try table.letterbox(box ?? "")
        try box.check(to, of: table.me, table.names)
        spot = .box(box.id)
      }
      let letter = try CommandError.usage { () throws(MessageError) in
        try Letter(
          id: id, from: table.me, to: to, at: spot, written: table.date, expires: expires?.instant,
          text: text)
      }
      return PeopleAction(.wrote(letter), of: id)
    }
    try OutputBytes.print("\(id)")
  }
}

/// `godwit letters reply`: leaves an answer for the writer of a letter.
struct LettersReplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reply", abstract: "Reply to a letter, at the same place.",
    discussion: "A reply marks the letter as read.")

  @Argument(help: "Letter to answer: its id, or the first digits of the id.")
  var letter: String
  @OptionGroup var text: LetterText
  @OptionGroup var spot: LocationOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Delivery radius.", valueName: "m"))
  var radius: Double?
  @Option(help: LocalTime.help("Expiry time."), transform: LocalTime.read)
  var expires: LocalTime?
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard radius == nil || spot.isGiven else {
      throw ValidationError("--radius belongs to --place and --at")
    }
  }

  func run() throws {
    let circle = try spot.spot(store)?.letterCircle(radius: radius)
    let text = try text.read()
    let id = UniqueID.new
    try store.perform { table in
      try table.checkIsAhead(expires, "--expires")
      let meant = try table.letter(letter)
      guard !meant.isHidden else {
        throw CommandError.failed("the letter waits: read it first at its place, \(meant.place)")
      }
      guard let letter = meant.letter else {
        throw CommandError.failed(
          "the letter is not kept here any more: write one with --to \(meant.key.from)")
      }
      let answer = try CommandError.usage { () throws(MessageError) in
        try letter.answer(
          id: id, from: table.me, at: circle.map { .circle($0) } ?? table.spot(forAnswer: letter),
          written: table.date, expires: expires?.instant, text: text)
      }
      return PeopleAction(.wrote(answer), of: id)
    }
    try OutputBytes.print("\(id)")
  }
}

/// `godwit letters remove`: withdraws a letter.
struct LettersRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Withdraw a letter that you left.",
    discussion: """
      An addressee who has read it keeps it. Without a broker, the next files of `godwit letters \
      export` contain the withdrawal.
      """)

  @Argument(help: "Id of the letter, or its first digits.") var letter: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let letter = try table.letter(letter)
      guard let outgoing = letter.outgoing else {
        throw CommandError.failed(
          letter.key.from == table.me
            ? "the letter is not pending any more" : "only the sender of a letter can withdraw it")
      }
      guard !outgoing.isCleared else {
        throw CommandError.failed(
          "the letter is not pending any more: it was delivered, has expired, or was withdrawn")
      }
      return PeopleAction(.withdrew(letter.key.id), of: letter.key.id)
    }
  }
}

extension UniqueID {
  /// A random id.
  static var new: UniqueID {
    var chance = SystemRandomNumberGenerator()
    return made(using: &chance)
  }
}

extension Letterbox {
  /// An addressee who cannot open the box would never receive the letter.
  fileprivate func check(
    _ to: Addressees, of me: PersonAddress, _ names: PeopleNames
  ) throws(CommandError) {
    guard accepts(from: me) else {
      let writers = names.text(of: writers ?? people)
      throw .failed(
        "you cannot put anything into the letterbox \(TerminalText.line(name)): it accepts letters "
          + "from \(TerminalText.line(writers)); contact its owner")
    }
    guard case .people(let people) = to else { return }
    let others = people.filter { !self.people.include($0) }
    let owners = TerminalText.line(names.text(of: self.people))
    guard others.isEmpty else {
      throw .failed(
        "\(TerminalText.line(names.text(of: .people(others)))) cannot open the letterbox "
          + "\(TerminalText.line(name)): it is for \(owners)")
    }
  }
}

extension PeopleTable {
  /// Where the answer is left; nil: at the letter's own spot. The writer of the letter may not be
  /// able to open its letterbox.
  fileprivate func spot(forAnswer letter: Letter) -> Letter.Spot? {
    guard case .box(let id) = letter.spot,
      let box = messaging.letterboxes.first(where: { $0.id == id }),
      !box.people.include(letter.from)
    else { return nil }
    return .circle(box.circle)
  }
}
