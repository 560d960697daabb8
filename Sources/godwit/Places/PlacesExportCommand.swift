import ArgumentParser
import Notation
import PlaceFiles
import Places
import Store

/// `godwit places export`: the places of the store into a file.
struct PlacesExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the places for other programs.",
    discussion: """
      GeoJSON has everything about a place, and is read back without loss. The same places always \
      give the same bytes.
      """)

  @Argument(help: "\(PlaceFileFormat.allCases.map(\.rawValue).joined(separator: " or ")).")
  var format: PlaceFileFormat
  @OptionGroup var store: StoreOptions
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to write; a file there is replaced when all is written. Without it, standard output.",
      valueName: "file"), completion: .file())
  var output: String?

  func run() throws {
    do {
      guard let output, output != "-" else {
        return try write { (bytes) throws(FileFailure) in
          try OutputBytes.print(String(decoding: bytes, as: UTF8.self), terminator: "")
        }
      }
      try store.protected().refuse(output, namedBy: "--output")
      let file = try AtomicFile(path: output)
      try write { (bytes) throws(FileFailure) in try file.write(bytes) }
      try file.commit()
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    }
  }

  private func write(to sink: ([UInt8]) throws(FileFailure) -> Void) throws {
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
