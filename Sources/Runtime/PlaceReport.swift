import Notation
import Places

/// What `status` says of places and alerts.
struct PlaceReport {
  private let driver: PlaceDriver

  init(_ driver: PlaceDriver) { self.driver = driver }

  /// The places where the board is.
  var inside: JSONValue {
    .array(
      driver.inside.map { place in
        .object([("id", .string(place.id.description)), ("name", .string(place.name))])
      })
  }

  /// What is guarded now, and where; no position as long as the circle is not drawn.
  var guards: JSONValue {
    .array(
      driver.guarding.map { alert, centre in
        .object([
          ("alert", .string(alert.name)), ("kind", .string(alert.rule.kind.rawValue)),
          ("radius_m", .rounded(alert.rule.guarding?.radius.value, digits: 1)),
          ("lat", .rounded(centre?.latitude.value, digits: 7)),
          ("lon", .rounded(centre?.longitude.value, digits: 7)),
        ])
      })
  }
}
