import Core
import Tracking

/// A constant of the pipeline that can be set and varied by its name.
struct Constant: Sendable {
  let name: String
  let get: @Sendable (LocationSettings) -> Double
  let set: @Sendable (Double, inout LocationSettings) -> Void

  func set(_ value: Double, in settings: inout LocationSettings) { set(value, &settings) }

  static let all = [
    quantity("minimumDwell", \.dwell.minDwell), quantity("restRadius", \.dwell.restRadius),
    quantity("leaveRadius", \.dwell.leaveRadius), number("radiusGrowth", \.dwell.radiusGrowth),
    quantity("minAbsence", \.dwell.minAbsence),
    quantity("mergeWindow", \.dwell.mergeWindow), quantity("maxGap", \.dwell.maxGap),
    quantity("coarseError", \.dwell.coarseError),
    quantity("walkingSpeed", \.dwell.walkingSpeed),
    quantity("vehicleSpeed", \.dwell.vehicleSpeed),
    quantity("maxTransportWait", \.dwell.maxTransportWait),
    quantity("boardingRadius", \.dwell.boardingRadius),
  ]

  private static func quantity<Q: Quantity>(
    _ name: String, _ path: WritableKeyPath<LocationSettings, Q> & Sendable
  ) -> Constant {
    Constant(name: name, get: { $0[keyPath: path].value }, set: { $1[keyPath: path] = Q($0) })
  }

  private static func number(
    _ name: String, _ path: WritableKeyPath<LocationSettings, Double> & Sendable
  ) -> Constant {
    Constant(name: name, get: { $0[keyPath: path] }, set: { $1[keyPath: path] = $0 })
  }
}
