import ArgumentParser
import Formats
import Places

/// `godwit places tags`: the tags of places.
struct PlacesTagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags in use, the most frequent first.")

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  private struct Tag: Sendable {
    let name: String
    let places: Int

    static let columns = Columns<Tag>([
      .count("places", cell: .plain("PLACES", 6, .right)) { $0.places },
      .text("tag", cell: .plain("TAG", 4)) { $0.name },
    ])
  }

  func run() throws {
    var counts: [String: Int] = [:]
    for tag in try store.places().places.flatMap(\.tags) { counts[tag, default: 0] += 1 }
    let tags = counts.map { Tag(name: $0.key, places: $0.value) }
      .sorted { ($1.places, $0.name) < ($0.places, $1.name) }
    var listing = Listing(json: json, Tag.columns, fitsRows: true)
    for tag in tags { try listing.add(tag) }
    try listing.finish()
  }
}
