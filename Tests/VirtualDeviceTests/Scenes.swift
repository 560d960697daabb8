import Ports
import Core
import VirtualDevice

/// 2026-05-01T08:00:00Z
let morning = UTCInstant(seconds: 1_777_622_400)
let groningen = Coordinate(latitude: 53.2194, longitude: 6.5665)

/// A ground truth that never moves, with a reception that can be changed.
final class StandingTruth: GroundTruth {
  let start = morning
  let end: UTCInstant? = nil
  let hasEnded = false
  var reception: Reception
  var position = groningen
  var network: AccessPoint?

  init(reception: Reception = .open) { self.reception = reception }

  func state(at time: UTCInstant) -> TrueState? {
    TrueState(position: position, altitude: 12, reception: reception)
  }

  func accessPoint(at time: UTCInstant) -> AccessPoint? { network }

  func another() -> any GroundTruth { self }

  func settled(at time: UTCInstant) -> UTCInstant? { time + .days(1) }
}

/// Straight to the north-east at 10 m/s for a while, one sample a second.
func drive(seconds: Int) -> TraceTruth {
  let samples = (0...seconds).map { second in
    TruthSample(
      time: morning + Seconds(Double(second)),
      position: Coordinate(
        latitude: Degrees(53.2194 + Double(second) * 6.359e-5),
        longitude: Degrees(6.5665 + Double(second) * 1.0624e-4)),
      altitude: 5)
  }
  return TraceTruth(samples)!
}

extension VirtualBoard {
  /// Advances the time and collects the receiver's output.
  func listen(for time: Seconds) throws -> [UInt8] {
    let end = clock.now + time
    var bytes: [UInt8] = []
    while let next = nextEvent, next <= end {
      advance(to: next)
      bytes += try receiver.read(limit: 65_536)
    }
    advance(to: end)
    return bytes
  }

  /// Switches on and waits for the first fix; nil if there was none in time. Leaves it on.
  func timeToFirstFix(limit: Seconds = 300) throws -> Seconds? {
    let on = clock.now
    try powerSwitch.set(.supply, active: true)
    while let next = nextEvent, next <= on + limit {
      advance(to: next)
      _ = try receiver.read(limit: 65_536)
      if receiver.gnssState == .tracking { return clock.now - on }
    }
    return nil
  }
}

func sentences(_ bytes: [UInt8]) -> [String] {
  String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
}
