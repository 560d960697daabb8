import ArgumentParser
import Formats
import Core
import Store

/// `godwit places statistics`: visits to places and the use of their contents, for their authors.
struct PlacesStatisticsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics",
    abstract: "Show the number of visits to places, and the use of their contents.",
    discussion: """
      A visit is a stay of at least five minutes whose ends are known. The figures are those of \
      this board, for the time that its store covers.
      """)

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array.") var json = false

  func run() throws {
    let statistics = PlaceStatistics.all(try store.contents())
    guard json else { return try printTables(statistics) }
    var writer = JSONWriter()
    writer.array { json in
      for place in statistics { json.value(place.json) }
    }
    try OutputBytes.print(String(decoding: writer.bytes, as: UTF8.self))
  }

  private func printTables(_ statistics: [PlaceStatistics]) throws {
    var places = Listing(.table, PlaceStatistics.columns, fitsRows: true)
    for place in statistics { try places.add(place) }
    try places.finish()
    let contents = statistics.flatMap(\.contents)
    guard !contents.isEmpty else { return }
    try OutputBytes.print("")
    var listing = Listing(.table, ContentStatistics.columns, fitsRows: true)
    for content in contents { try listing.add(content) }
    try listing.finish()
    for content in contents {
      for comment in content.comments {
        let text = TerminalText.line(comment.detail ?? "")
        try OutputBytes.print(
          "\(LocalTime.text(comment.time)) \(TerminalText.line(content.title)): \(text)")
      }
    }
  }
}
