import Notation
import Quantities
import Records

/// The location message of OwnTracks, as its apps send it over MQTT and HTTP and its recorder keeps
/// it (owntracks.org/booklet/tech/json).
public enum OwnTracks {
  /// Appends one message.
  /// - Parameter tracker: one or two characters that stand for the board on a map.
  public static func append(_ point: TrackPoint, tracker: String = "gw", to json: inout JSONWriter)
  {
    let location = point.location
    json.object { json in
      json.field("_type", "location")
      json.field("tst", wholeSeconds(location.time))
      json.field("lat", location.position.latitude.value, digits: 7)
      json.field("lon", location.position.longitude.value, digits: 7)
      json.field("acc", location.accuracy.value, digits: 0)
      json.field("alt", ifKnown: location.altitude?.value, digits: 0)
      // OwnTracks speaks km/h.
      json.field("vel", ifKnown: location.speed.map { $0.value * 3.6 }, digits: 0)
      json.field(
        "cog", ifKnown: location.track.map { $0.value < 359.5 ? $0.value : 0 }, digits: 0)
      json.field("tid", tracker)
    }
  }

  static func wholeSeconds(_ time: UTCInstant) -> Int {
    let (quotient, remainder) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return Int(remainder < 0 ? quotient - 1 : quotient)
  }
}

/// The track as the OwnTracks recorder keeps it (`.rec`): time of reception, kind padded to 18
/// characters, message. A point counts as received when it was measured.
struct OwnTracksExporter: Exporter {
  var output: [UInt8] = []
  private var json = JSONWriter()

  mutating func destination(_: Destination) {}
  mutating func visit(_: Visit) {}
  mutating func finish() {}

  mutating func point(_ point: TrackPoint) {
    json.removeAll()
    OwnTracks.append(point, to: &json)
    ISO8601.append(point.location.time, digits: 0, to: &output)
    output.append(contentsOf: "\t*                 \t".utf8)
    output.append(contentsOf: json.bytes)
    output.append(UInt8(ascii: "\n"))
  }
}
