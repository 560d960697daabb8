import ArgumentParser
import Formats
import Core
import Ports
import Records
import Store

/// `godwit destinations`: the places of recurring visits, and the user's names for them.
struct DestinationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "destinations", abstract: "List and name the visited destinations.",
    subcommands: [List.self, Label.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the destinations, with the number and duration of their visits.")

    @OptionGroup var store: StoreOptions
    @OptionGroup var times: RangeOptions
    @Flag(help: "Print a JSON array.") var json = false

    func run() throws {
      try store.read { reader in
        var listing = Listing(json: json, Destination.columns, fitsRows: true)
        let visited = try reader.visitedDestinations(in: times.range)
        var destinations = try reader.destinations()
        while let destination = try destinations.next() {
          if let visited, !visited.contains(destination.id) { continue }
          try listing.add(destination)
        }
        try listing.finish()
      }
    }
  }

  struct Label: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Name a destination; an empty text removes the name.",
      discussion: "godwit status shows the distance to the destination named Home.")

    @Argument(help: "Number of the destination in the list.") var id: Int64
    @Argument(help: ArgumentHelp("Name, one line of at most \(maxNameLength) characters."))
    var text: String
    @OptionGroup var store: StoreOptions

    static let maxNameLength = 100

    func validate() throws {
      guard text.count <= Self.maxNameLength, !TerminalText.hasControlCharacter(text)
      else {
        throw ValidationError(
          "a name must be one line of at most \(Self.maxNameLength) characters, without control "
            + "characters"
        )
      }
    }

    func run() throws {
      let path = try store.path()
      do {
        // Opening for writing would create a new store where there is none.
        _ = try StoreReader(path: path)
        let writer = try GeoPackageStore(path: path)
        let isKnown = try writer.setLabel(text, destination: id)
        try writer.close()
        guard isKnown else {
          throw CommandError.failed(
            "there is no destination \(id) in \(path); `godwit destinations` lists them")
        }
      } catch let error as PortError {
        throw CommandError.failed(error.message)
      }
    }
  }
}

extension StoreReader {
  /// The destinations of the visits in the range; nil, if there is no range, for all of them.
  func visitedDestinations(in range: TimeRange) throws(PortError) -> Set<Int64>? {
    guard range != .all else { return nil }
    var found: Set<Int64> = []
    var visits = try self.visits(in: range)
    while let visit = try visits.next() {
      if let id = visit.destination { found.insert(id) }
    }
    return found
  }
}
