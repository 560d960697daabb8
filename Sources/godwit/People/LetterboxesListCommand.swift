import ArgumentParser
import Messaging
import Formats
import Core

/// `godwit letterboxes list`: the known letterboxes.
struct LetterboxesListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the letterboxes that you own, can open, or can put letters into.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let table = try store.people()
    var listing = Listing(json: json, ListedBox.columns, fitsRows: true)
    for box in table.messaging.letterboxes { try listing.add(ListedBox(box, table.names)) }
    try listing.finish()
  }
}

/// `godwit letterboxes add`: creates or changes a letterbox.
struct LetterboxesAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a letterbox, or change your letterbox of that name.",
    discussion: """
      A person who may open it receives all letters in it for that person on arrival there. \
      People who put letters in need not be able to open it: a letterbox of your own is --for \
      you, --from others. The options replace all properties of an existing letterbox. A \
      letterbox for everybody is not published: distribute it with `godwit letters export`.
      """)

  @Argument(help: "Name of the letterbox.") var name: String
  @OptionGroup var spot: LocationOptions
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Radius within which it can be opened.", valueName: "m"))
  var radius: Double?
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("People who can open it: \(PeopleNames.help).", valueName: "people"))
  var people: String
  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "People who can put letters in: \(PeopleNames.help). Default: those who can open it.",
      valueName: "people"))
  var writers: String?
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard spot.isGiven else {
      throw ValidationError("specify the position with one of --place and --at")
    }
  }

  func run() throws {
    guard let circle = try spot.spot(store)?.letterCircle(radius: radius) else { return }
    var id = UniqueID.new
    try store.perform { table in
      let known = table.messaging.letterboxes.first { $0.owner == table.me && $0.name == name }
      if let known { id = known.id }
      let people = try table.names.addressees(people)
      let writers = try writers.map(table.names.addressees)
      let box = try CommandError.usage { [id] () throws(MessageError) in
        try Letterbox(
          id: id, owner: table.me, revision: (known?.revision ?? 0) + 1, name: name, for: people,
          from: writers, at: circle)
      }
      return PeopleAction(.box(box), of: id)
    }
    try OutputBytes.print("\(id)")
  }
}

/// `godwit letterboxes remove`: removes a letterbox.
struct LetterboxesRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove one of your letterboxes.",
    discussion: "Letters in it are not delivered any more, and their senders are notified.")

  @Argument(help: "Name or id (or its first digits) of the letterbox.") var box: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    try store.perform { table in
      let box = try table.letterbox(box)
      guard box.owner == table.me else {
        let owner = TerminalText.line(table.names.text(of: box.owner))
        throw CommandError.failed(
          "\(TerminalText.line(box.name)) belongs to \(owner): only its owner can remove it")
      }
      return PeopleAction(.removedBox(box.id), of: box.id)
    }
  }
}

/// A letterbox in a list.
struct ListedBox: Sendable {
  private let box: Letterbox
  private let owner: String
  private let people: String
  private let writers: String

  init(_ box: Letterbox, _ names: PeopleNames) {
    self.box = box
    owner = names.text(of: box.owner)
    people = names.text(of: box.people)
    writers = names.text(of: box.writers ?? box.people)
  }

  static let columns = Columns<ListedBox>([
    .text("id", cell: .made("ID", 8) { row, _ in String(row.box.id.description.prefix(8)) }) {
      $0.box.id.description
    },
    .table(.made("OWNER", 5) { row, _ in row.owner }),
    .text("owner") { $0.box.owner.description },
    .table(.made("FOR", 3) { row, _ in row.people }),
    .texts("for") { $0.box.people.addresses },
    .table(.made("FROM", 4) { row, _ in row.writers }),
    .texts("from") { ($0.box.writers ?? $0.box.people).addresses },
    .number("lat", digits: 7, cell: .figure("LATITUDE", 11, digits: 5)) {
      $0.box.circle.centre.latitude.value
    },
    .number("lon", digits: 7, cell: .figure("LONGITUDE", 12, digits: 5)) {
      $0.box.circle.centre.longitude.value
    },
    .number("radius_m", digits: 1, cell: .figure("RADIUS", 6, digits: 0, unit: " m")) {
      $0.box.circle.radius.value
    },
    .text("place") { $0.box.circle.name },
    .count("revision") { $0.box.revision },
    .text("name", cell: .plain("NAME", 4)) { $0.box.name },
  ])
}

extension PeopleTable {
  func letterbox(_ words: String) throws(CommandError) -> Letterbox {
    var things = NamedItems<Letterbox>(
      "letterbox", plural: "letterboxes", listedBy: "godwit letterboxes list")
    for box in messaging.letterboxes { things.add(box, box.id, name: box.name) }
    return try things.one(words)
  }
}
