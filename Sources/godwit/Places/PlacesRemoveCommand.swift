import ArgumentParser
import Store

/// `godwit places remove`: deletes a place.
struct PlacesRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a place.")

  @Argument(help: "Name or UUID (or its first digits) of the place.") var place: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let row = try store.places().row(place).row
    try store.editPlaces { try $0.remove(row) }
  }
}
