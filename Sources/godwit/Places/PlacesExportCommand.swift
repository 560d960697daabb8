import ArgumentParser
import Core
import Formats
import Places
import Store

/// `godwit places export`: writes the places of the store to a file.
struct PlacesExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the places for other programs.",
    discussion: """
      GeoJSON has all properties of a place, and can be imported without loss. The same places \
      always produce the same bytes.
      """)

  private static let formats = PlaceFileFormat.allCases.map(\.rawValue).joined(separator: " or ")

  @Argument(
    help: ArgumentHelp(
      "Format: \(formats). Default: from the name of --output; geojson on standard output.",
      valueName: "format"))
  var given: PlaceFileFormat?
  @OptionGroup var store: StoreOptions
  @OptionGroup var target: ExportTarget

  func run() throws {
    let format = try format()
    do {
      try target.write(store) { sink in try write(format, to: sink) }
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
  }

  private func format() throws -> PlaceFileFormat {
    if let given { return given }
    guard let output = target.output, output != "-" else { return .geojson }
    guard let format = PlaceFileFormat.named(output) else {
      throw CommandError.wrongUsage(
        "the name \(output) has no known ending: write \(Self.formats) before --output")
    }
    return format
  }

  private func write(
    _ format: PlaceFileFormat, to sink: ([UInt8]) throws(FileFailure) -> Void
  ) throws {
    var writer = format.writer()
    var notices: [String] = []
    for place in try store.places().places {
      notices += writer.place(place).map { "\(place.name): \($0)" }
      guard writer.output.count > OutputBytes.flushThreshold else { continue }
      try sink(writer.output)
      writer.output.removeAll(keepingCapacity: true)
    }
    writer.finish()
    try sink(writer.output)
    var messages = StandardError()
    for notice in notices { print("godwit: \(TerminalText.line(notice))", to: &messages) }
  }
}

extension PlaceFileFormat: ExpressibleByArgument {}
