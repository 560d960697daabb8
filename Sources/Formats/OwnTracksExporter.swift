import Core
import Records

/// The track in the format of OwnTracks' Recorder (`.rec`): time of reception, kind padded to 18
/// characters, message. A point counts as received when it was measured.
struct OwnTracksExporter: Exporter {
  var output: [UInt8] = []

  mutating func destination(_: Destination) {}
  mutating func visit(_: Visit) {}
  mutating func finish() {}

  mutating func point(_ point: TrackPoint) {
    ISO8601.append(point.location.time, digits: 0, to: &output)
    output.append(contentsOf: "\t*                 \t".utf8)
    output.append(contentsOf: OwnTracksMessage.location(OwnTracksLocation(point)).bytes)
    output.append(UInt8(ascii: "\n"))
  }
}
