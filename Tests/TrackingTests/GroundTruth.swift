import Core
import GNSS
import Records

/// Generates locations and fixes from positions in metres around one place.
struct GroundTruth {
  static let home = Coordinate(latitude: 47.0707, longitude: 15.4395)
  static let plane = LocalPlane(origin: home)
  static let start = UTCInstant(seconds: 1_750_000_000)

  static func time(_ seconds: Double) -> UTCInstant { start + Seconds(seconds) }

  static func position(_ east: Double, _ north: Double) -> Coordinate {
    plane.coordinate(.init(east: Metres(east), north: Metres(north)))
  }

  static func location(
    _ seconds: Double, _ east: Double, _ north: Double = 0, accuracy: Metres = 5
  ) -> Location {
    Location(time: time(seconds), position: position(east, north), accuracy: accuracy)
  }

  static func fix(_ seconds: Double, _ east: Double, _ north: Double = 0) -> Fix {
    var fix = Fix(received: .zero + Seconds(seconds))
    fix.time = time(seconds)
    fix.mode = .threeD
    fix.position = position(east, north)
    fix.horizontalError = 5
    return fix
  }
}
