import Core
import VirtualDevice

/// A board that stands still permanently under open sky.
final class StandingTruth: GroundTruth {
  let start: UTCInstant
  let end: UTCInstant? = nil
  let hasEnded = false

  init(since start: UTCInstant) { self.start = start }

  func state(at time: UTCInstant) -> TrueState? {
    TrueState(position: Coordinate(latitude: 53.2437, longitude: 6.5301), altitude: 3)
  }

  func accessPoint(at time: UTCInstant) -> AccessPoint? { nil }

  func another() -> any GroundTruth { self }

  func settled(at time: UTCInstant) -> UTCInstant? { time + .days(1) }
}
