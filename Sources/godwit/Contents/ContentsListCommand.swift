import ArgumentParser
import Formats
import Store

/// `godwit contents list`: the contents of places, in the order of each place.
struct ContentsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the contents of places, with scores and counts.")

  @Option(help: "Only contents of this place: its name or UUID (or its first digits).")
  var place: String?
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let chosen = try place.map { try store.places().place($0).id.description }
    let rows = try store.contents().rows.filter { row in
      row.isThere && chosen.map { row.placeID == $0 } ?? true
    }
    var listing = Listing(json: json, ListedContent.columns, fitsRows: true)
    for row in rows { try listing.add(row) }
    try listing.finish()
  }
}

/// `godwit contents saved`: the contents saved for later.
struct ContentsSavedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "saved", abstract: "List the contents saved for later.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    var listing = Listing(json: json, ListedContent.columns, fitsRows: true)
    var known: Set<String> = []
    for row in try store.contents().rows where row.tally.isSaved {
      guard known.insert(row.item.id.description).inserted else { continue }
      try listing.add(row)
    }
    try listing.finish()
  }
}

/// `godwit contents log`: what was shown and done, in order.
struct ContentsLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "List the contents that were shown, and the actions on them.",
    discussion: ListingOptions.discussion)

  @OptionGroup var options: ListingOptions

  func run() throws {
    try options.store.read { reader in
      var listing = Listing(json: options.json, LoggedContentAction.columns, fitsRows: true)
      let places = Dictionary(
        try PlaceTable(reader).places.map { ($0.id.description, $0.name) }
      ) { first, _ in first }
      var actions = try reader.contentActions(in: options.times.range)
      while let action = try actions.next() {
        try listing.add(LoggedContentAction(action: action, place: places[action.placeUUID]))
      }
      try listing.finish()
    }
  }
}
