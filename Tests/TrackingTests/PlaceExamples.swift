import Core
import Places
import Records

@testable import Tracking

/// Places and locations on one road that runs to the east.
enum PlaceExamples {
  static let start = Coordinate(latitude: 48.2975, longitude: 14.2897)

  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  static func position(east: Double, north: Double = 0) -> Coordinate {
    LocalPlane(origin: start).coordinate(.init(east: Metres(east), north: Metres(north)))
  }

  static func location(
    east: Double, north: Double = 0, accuracy: Metres = 5, speed: MetresPerSecond? = nil,
    source: Location.Source = .gnss
  ) -> Location {
    Location(
      time: UTCInstant(seconds: 1_780_000_000), position: position(east: east, north: north),
      accuracy: accuracy, speed: speed, source: source)
  }

  /// A circular place.
  static func place(
    east: Double, north: Double = 0, radius: Metres = 1, hasAlerts: Bool = true
  ) -> PlaceTarget {
    PlaceTarget(
      PlaceRegion(.circle(radius: radius), around: position(east: east, north: north)),
      hasAlerts: hasAlerts)
  }

  static let nowhere = Location(
    time: UTCInstant(seconds: 1_780_000_000),
    position: Coordinate(latitude: Degrees(.nan), longitude: 14), accuracy: 5)

  /// At rest since second 320 if a motion sensor reports it.
  static func rested(isFelt: Bool = true) -> MotionEstimator {
    var motion = MotionEstimator(sources: isFelt ? ["motion"] : [], dwell: 300)
    for second in stride(from: 0.0, through: 200, by: 10) {
      motion.located(location(east: -800), at: at(second))
    }
    for second in [300.0, 310, 320] { motion.handle(.motion, at: at(second)) }
    motion.located(location(east: 0), at: at(330))
    motion.timePassed(at: at(400))
    return motion
  }
}
