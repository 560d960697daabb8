import Core
import GNSS
import Records

/// The newest fix that was believed, and what the receiver hears of the sky at present.
struct PresentPosition {
  private(set) var fix: Fix?
  /// The newest epoch, with or without a position.
  private var epoch: Fix?

  mutating func heard(_ fix: Fix, isAccepted: Bool) {
    epoch = fix
    if isAccepted { self.fix = fix }
  }

  /// Keys with units; null: no fix has been believed in this run.
  /// - Parameters:
  ///   - accuracy: as the tracker takes it, also where the receiver tells none.
  ///   - home: where the user lives, by the label of a destination.
  func json(at now: BootInstant, accuracy: Metres?, home: Coordinate?) -> JSONValue {
    guard let fix, let place = fix.position else { return .null }
    return .object([
      ("lat", .rounded(place.latitude.value, digits: 7)),
      ("lon", .rounded(place.longitude.value, digits: 7)),
      ("accuracy_m", .rounded((fix.horizontalError ?? accuracy)?.value, digits: 1)),
      ("altitude_m", .rounded(fix.altitudeMSL?.value, digits: 1)),
      ("speed_m_s", .rounded(fix.speed?.value, digits: 2)),
      // As records name it, and as answers do.
      ("track_deg", .rounded(fix.track?.value, digits: 1)),
      ("course_deg", .rounded(fix.track?.value, digits: 1)),
      ("time", .text(fix.time.map { ISO8601.text($0) })),
      ("age_s", .rounded(max(0, (now - fix.received).value), digits: 1)),
      ("satellites_used", .count(fix.satellitesUsed)),
      ("satellites_in_view", .count(epoch?.satellitesInView ?? fix.satellitesInView)),
      ("hdop", .rounded(fix.hdop, digits: 2)),
      (
        "distance_to_home_m",
        .rounded(home.map { Sphere.distance(place, $0).value }, digits: 0)
      ),
    ])
  }
}

extension Location {
  /// Keys with units, as a fix has them.
  /// - Parameter now: nil: it is not known, and how old the location is neither.
  func json(at now: UTCInstant?) -> JSONValue {
    .object([
      ("lat", .rounded(position.latitude.value, digits: 7)),
      ("lon", .rounded(position.longitude.value, digits: 7)),
      ("accuracy_m", .rounded(accuracy.value, digits: 1)),
      ("time", .string(ISO8601.text(time))),
      ("age_s", .rounded(now.map { max(0, ($0 - time).value) }, digits: 1)),
    ])
  }
}

extension Destination {
  /// Whether the user has called it home.
  var isHome: Bool { label?.lowercased() == "home" }
}
