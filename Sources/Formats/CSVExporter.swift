import Notation
import Quantities
import Records

/// The track as a table, with the header that `CSVTraceReader` knows: it can be replayed.
struct CSVExporter: Exporter {
  var output = Array("time,lat,lon,ele,hacc,speed\n".utf8)

  mutating func destination(_: Destination) {}
  mutating func visit(_: Visit) {}
  mutating func finish() {}

  mutating func point(_ point: TrackPoint) {
    let sighting = point.sighting
    ISO8601.append(sighting.time, to: &output)
    append(sighting.place.latitude.value, digits: 7)
    append(sighting.place.longitude.value, digits: 7)
    append(sighting.altitude?.value, digits: 2)
    append(sighting.accuracy.value, digits: 2)
    append(sighting.speed?.value, digits: 2)
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func append(_ number: Double?, digits: Int) {
    output.append(UInt8(ascii: ","))
    if let number, number.isFinite { FixedDecimal.append(number, digits: digits, to: &output) }
  }
}
