import Core
import Records

/// A validated location from GeoClue.
struct GeoClueLocation {
  /// What GeoClue kept from an earlier client may be older than the tracker's estimate.
  static let oldest = Seconds.minutes(10)
  /// A radius larger than a country is of no use.
  static let widest = Metres(200_000)

  let position: Coordinate
  let accuracy: Metres

  /// Reads the answer of `GetAll` for org.freedesktop.GeoClue2.Location.
  /// - Parameter date: the system's, by which GeoClue dates locations, too.
  /// - Returns: nil: not a location, or of no use.
  init?(_ answer: BusMessage, date: UTCInstant) {
    var latitude: Double?
    var longitude: Double?
    var accuracy: Double?
    var seconds: Int64?
    answer.properties { property in
      switch property {
      case "Latitude": latitude = answer.double()
      case "Longitude": longitude = answer.double()
      case "Accuracy": accuracy = answer.double()
      case "Timestamp": seconds = answer.firstInteger()
      default: break
      }
    }
    guard let latitude, let longitude, let accuracy, accuracy > 0,
      accuracy <= Self.widest.value,
      let position = Coordinate(checkedLatitude: latitude, longitude: longitude),
      !position.isNullIsland
    else { return nil }
    // Absent before GeoClue 2.4.
    if let seconds {
      guard (0...Int64(UInt32.max)).contains(seconds) else { return nil }
      let age = date - UTCInstant(seconds: Double(seconds))
      guard age <= Self.oldest, age >= Seconds(0) - Self.oldest else { return nil }
    }
    self.position = position
    self.accuracy = Metres(accuracy)
  }
}
