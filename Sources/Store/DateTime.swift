import Notation
import Quantities

/// Times as GeoPackage's DATETIME column type wants them: `YYYY-MM-DDTHH:MM:SS.sssZ`. In this form
/// the order of the texts is the order of the times.
enum DateTime {
  static func text(_ instant: UTCInstant) -> String { ISO8601.text(instant, digits: 3) }
  static func parse(_ text: String) -> UTCInstant? { ISO8601.parse(text) }

  /// The time that a track point's identifier tells; nil when no receiver can have told it.
  static func ofIdentifier(_ id: Int64) -> UTCInstant? {
    (0..<Int64.max / 1000).contains(id) ? UTCInstant(nanoseconds: id * 1000) : nil
  }
}
