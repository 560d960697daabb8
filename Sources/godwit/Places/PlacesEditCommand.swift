import ArgumentParser
import Core
import Formats
import Places
import Records
import Store

/// `godwit places edit`: changes the given properties.
struct PlacesEditCommand: ParsableCommand {
  /// The parts that can be cleared.
  enum Part: String, CaseIterable, ExpressibleByArgument {
    case description, from, until, schedule, tags, beacons, audience, followers, contents
    case relationships
  }

  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a place.",
    discussion: "A list, such as --tag a --tag b, replaces the previous list.")

  @Argument(help: "Name or UUID (or its first digits) of the place.") var place: String
  @Option(help: "New name.") var name: String?
  @OptionGroup var options: PlaceOptions
  @Option(
    help: "Remove a property: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).")
  var clear: [Part] = []
  @OptionGroup var store: StoreOptions

  func run() throws {
    let table = try store.places()
    let (place, row) = try table.row(place)
    var details = place.details
    if let name { details.name = name }
    for part in clear { Self.clear(part, of: &details) }
    try options.apply(to: &details, among: table)
    do {
      let next = try place.changed(to: details)
      guard next != place else {
        throw CommandError.wrongUsage(
          "no option changes \(TerminalText.line(place.name))")
      }
      try store.editPlaces { try $0.replace(row, with: PlaceRow(next)) }
      if next.name != place.name { table.warnOfNamesakes(of: next) }
      try store.warnWithoutRadio(options.beacon)
    } catch let error as PlaceError {
      throw CommandError.wrongUsage(error.description)
    }
  }

  private static func clear(_ part: Part, of details: inout PlaceDetails) {
    switch part {
    case .description: details.description = ""
    case .from: details.lifetime.from = nil
    case .until: details.lifetime.until = nil
    case .schedule: details.schedule = nil
    case .tags: details.tags = []
    case .beacons: details.beacons = []
    case .audience: details.visibility = .open
    case .followers: details.followers = PlaceFollowers()
    case .contents: details.contents = []
    case .relationships: details.relationships = []
    }
  }
}
