import RadioSignals
import Core
import Places

/// The beacon part of `status` and `godwit near`.
struct BeaconReport {
  private let driver: BeaconDriver
  private let now: BootInstant

  init(_ driver: BeaconDriver, at now: BootInstant) {
    self.driver = driver
    self.now = now
  }

  var json: JSONValue {
    .object([
      ("places", .count(driver.placeCount)), ("listening", .bool(driver.isListening)),
      ("method", .text(driver.method?.rawValue)),
      ("inside", .array(driver.inside.map(describe))),
      ("nearest", driver.nearest.map(describe) ?? .null),
      ("listened_s", .rounded(driver.listened.value, digits: 1)),
      ("restarts", .count(driver.restarts)), ("failure", .text(driver.failure)),
    ])
  }

  private func describe(_ place: Place) -> JSONValue {
    .object([
      ("id", .string(place.id.description)), ("name", .string(place.name)),
      ("proximity", .string(driver.proximity(at: place).rawValue)),
    ])
  }

  /// - Parameter heard: the nearest first.
  func near(_ heard: [RecentBeacons.One]) -> JSONValue {
    .object([
      ("beacons", .array(heard.map(describe))), ("state", json),
    ])
  }

  private func describe(_ one: RecentBeacons.One) -> JSONValue {
    .object([
      ("beacon", .string(one.beacon.description)),
      ("strength_dBm", .rounded(one.strength?.value, digits: 0)),
      ("distance_m", .rounded(one.distance?.value, digits: 1)),
      ("proximity", .string(one.proximity.rawValue)),
      ("heard_ago_s", .rounded(max(0, (now - one.lastReceived).value), digits: 1)),
      ("heard_count", .count(one.count)),
      ("places", .array(driver.places(of: one.beacon).map { .string($0.name) })),
    ])
  }
}
