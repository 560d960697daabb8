import Core
import RadioSignals
import Records

/// Fixes and observations around one point, as tests need them.
enum Taught {
  static let here = Coordinate(latitude: 52.09, longitude: 5.12)
  static let start = UTCInstant(seconds: 1_780_300_800)

  static func place(east: Metres, north: Metres) -> Coordinate {
    LocalPlane(origin: here).coordinate(.init(east: east, north: north))
  }

  /// - Parameter minute: minutes since `start`.
  static func fix(
    east: Metres = 0, north: Metres = 0, accuracy: Metres = 5, minute: Double = 0,
    speed: MetresPerSecond? = 1
  ) -> TrainingFix {
    TrainingFix(
      time: start + .minutes(minute), position: place(east: east, north: north),
      accuracy: accuracy, speed: speed)!
  }

  /// An access point received all around a spot, on two days.
  static func accessPoint(
    _ pseudonym: Int64, east: Metres, north: Metres, fixes: Int = 12, strength: Double = -60
  ) -> AccessPointPlace {
    let corners: [(Metres, Metres)] = [(5, 0), (0, 5), (-5, 0), (0, -5)]
    var place: AccessPointPlace?
    for number in 0..<fixes {
      let corner = corners[number % 4]
      let fix = fix(
        east: east + corner.0, north: north + corner.1,
        minute: Double(number) * 2 + (number >= fixes / 2 ? 1440 : 0))
      if place == nil {
        place = AccessPointPlace(
          PseudonymousSignal(pseudonym: pseudonym, strength: strength), at: fix)
      } else {
        place?.observe(strength, at: fix)
      }
    }
    return place!
  }

  static func heard(_ signals: (Int64, Double)...) -> [PseudonymousSignal] {
    signals.map { PseudonymousSignal(pseudonym: $0.0, strength: $0.1) }
  }
}
