import ArgumentParser

/// `godwit places`: the named places.
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places", abstract: "Manage places: circles and areas with a name.",
    discussion: """
      Specify a place by its name, its UUID, or the first digits of the UUID. The store keeps \
      places in the layers places and place_areas, which QGIS and other programs may edit at any \
      time.
      """,
    subcommands: [
      PlacesListCommand.self, PlacesTagsCommand.self, PlacesShowCommand.self, PlacesAddCommand.self,
      PlacesEditCommand.self, PlacesRemoveCommand.self, PlacesImportCommand.self,
      PlacesExportCommand.self, PlacesNearCommand.self, PlacesNavigateCommand.self,
      PlacesCrossingsCommand.self, PlacesStatisticsCommand.self, PlacesDeviceCommand.self,
    ], defaultSubcommand: PlacesListCommand.self)
}
