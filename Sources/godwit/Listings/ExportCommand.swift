import ArgumentParser
import Formats
import Core
import Records
import Store

/// `godwit export`: the store's content in the formats of other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the trajectory, visits and destinations for other programs.",
    discussion: """
      svg is a map for viewing that needs no other file and no network. \
      csv, movebank and owntracks contain only the trajectory; movebank only its GNSS \
      positions. Times in texts are UTC. The same store always produces the same bytes.
      """)

  @Argument(help: "Format: \(Alternatives.text(ExportFormat.allCases.map(\.rawValue))).")
  var format: ExportFormat
  @OptionGroup var store: StoreOptions
  @OptionGroup var times: RangeOptions
  @OptionGroup var target: ExportTarget
  @Option(
    help: "Animal of the track for movebank, by its name in the study. Default: the device.")
  var individual: String?
  @Option(help: "Tag for movebank, by its name in the study. Default: the device.")
  var tag: String?

  func run() throws {
    try store.read { reader in
      try reader.freeze()
      try target.write(store) { sink in try write(reader, to: sink) }
    }
  }

  private func write(
    _ reader: StoreReader, to sink: ([UInt8]) throws(FileFailure) -> Void
  ) throws {
    let summary = format.beginsWithSummary ? try self.summary(reader) : ExportSummary()
    var exporter = format.exporter(
      ExportDetails(
        summary: summary, individual: individual, tag: tag, device: try device(reader)))
    func flush(beyond limit: Int) throws(FileFailure) {
      guard exporter.output.count > limit else { return }
      try sink(exporter.output)
      exporter.output.removeAll(keepingCapacity: true)
    }
    try walk(
      reader, destination: { exporter.destination($0) }, visit: { exporter.visit($0) },
      point: { exporter.point($0) },
      afterEach: { try flush(beyond: OutputBytes.flushThreshold) })
    exporter.finish()
    try flush(beyond: 0)
  }

  /// The name of the device that made the records; nil if the store does not contain it.
  private func device(_ reader: StoreReader) throws -> String? {
    let provenance = try reader.provenance().flatMap { try? JSONValue(parsing: $0) }
    return provenance?["device_name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads everything an additional time, because memory would not hold it.
  private func summary(_ reader: StoreReader) throws -> ExportSummary {
    var summary = ExportSummary()
    try walk(
      reader, destination: { summary.add($0) }, visit: { summary.add($0) },
      point: { summary.add($0) })
    return summary
  }

  /// Passes on everything to be exported, in order.
  private func walk(
    _ reader: StoreReader, destination: (Destination) -> Void, visit: (Visit) -> Void,
    point: (TrackPoint) -> Void, afterEach: () throws -> Void = {}
  ) throws {
    let visited = try reader.visitedDestinations(in: times.range)
    var destinations = try reader.destinations()
    while let next = try destinations.next() {
      if visited?.contains(next.id) ?? true { destination(next) }
      try afterEach()
    }
    var visits = try reader.visits(in: times.range)
    while let next = try visits.next() {
      visit(next)
      try afterEach()
    }
    var points = try reader.trackPoints(in: times.range)
    while let next = try points.next() {
      point(next)
      try afterEach()
    }
  }
}

extension ExportFormat: ExpressibleByArgument {}
