import Records

/// The track as a table that can be replayed.
struct CSVExporter: Exporter {
  var output = Array(TrackPoint.columns.csvHeading.utf8)

  mutating func destination(_: Destination) {}
  mutating func visit(_: Visit) {}
  mutating func point(_ point: TrackPoint) { TrackPoint.columns.append(point, toCSV: &output) }
  mutating func finish() {}
}
