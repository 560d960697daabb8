import ArgumentParser
import Hardware

/// `godwit cells`: the positions of mobile cells, from published tables.
struct CellsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cells",
    abstract: "Import the positions of mobile cells, and show what was imported.",
    subcommands: [CellsImportCommand.self, CellsShowCommand.self])
}

/// The path of the table of cells.
struct CellTableOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Table file. Default: the setting cell.table_path, or the path of the store with "
        + ".cells in place of .gpkg.", valueName: "file"),
    completion: .file(extensions: ["cells"]))
  var table: String?

  @OptionGroup var configuration: ConfigOptions

  func path() throws -> String {
    if let table { return table }
    let settings = try configuration.load().settings
    return settings.sources[CellSettings.self].table
      ?? RadioMapPaths(store: settings.store.path).cells
  }
}
