import Core
import GNSS
import Records

/// The newest accepted fix, and the newest epoch of the receiver.
struct PresentPosition {
  private(set) var fix: Fix?
  /// The newest epoch, with or without a position.
  private var epoch: Fix?

  mutating func received(_ fix: Fix, isAccepted: Bool) {
    epoch = fix
    if isAccepted { self.fix = fix }
  }

  /// Keys with units; null: no fix was accepted in this run.
  /// - Parameters:
  ///   - accuracy: the tracker's estimate, used where the receiver reports none.
  ///   - home: the position of the destination with the label "home".
  func json(at now: BootInstant, accuracy: Metres?, home: Coordinate?) -> JSONValue {
    guard let fix, let place = fix.position else { return .null }
    return .object([
      ("lat", .rounded(place.latitude.value, digits: 7)),
      ("lon", .rounded(place.longitude.value, digits: 7)),
      ("accuracy_m", .rounded((fix.horizontalError ?? accuracy)?.value, digits: 1)),
      ("altitude_m", .rounded(fix.altitudeMSL?.value, digits: 1)),
      ("speed_m_s", .rounded(fix.speed?.value, digits: 2)),
      // One name as in records, one as in answers.
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
  /// Keys with units, as for a fix.
  /// - Parameter now: nil: unknown, and the age with it.
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
  /// Whether the user has labelled it "home".
  var isHome: Bool { label?.lowercased() == "home" }
}
