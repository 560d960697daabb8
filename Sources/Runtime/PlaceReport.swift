import Core
import Places

/// The part of `status` on places and alerts.
struct PlaceReport {
  private let driver: PlaceDriver

  init(_ driver: PlaceDriver) { self.driver = driver }

  /// The places that contain the board.
  var inside: JSONValue {
    .array(
      driver.inside.map { place in
        .object([("id", .string(place.id.description)), ("name", .string(place.name))])
      })
  }

  /// The last position of a tracked device, as an answer to a request.
  func device(_ name: String, at now: BootInstant) -> JSONValue {
    let report = driver.devices.report(of: name)
    return .object([
      ("name", .string(name)),
      ("lat", .rounded(report?.position.latitude.value, digits: 7)),
      ("lon", .rounded(report?.position.longitude.value, digits: 7)),
      ("age_s", .rounded(report.map { max(0, (now - $0.at).value) }, digits: 1)),
    ])
  }

  /// The content shown last in this run, with its place and time.
  var content: JSONValue {
    guard let shown = driver.shown else { return .null }
    return .object([
      ("id", .string(shown.item.id.description)), ("title", .string(shown.item.title)),
      ("type", .string(shown.item.type)),
      ("place_id", .string(shown.place.id.description)), ("place", .string(shown.place.name)),
      ("time", .string(ISO8601.text(shown.time))),
    ])
  }

  /// The alerts that guard a position, and where; no position until the circle is set.
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
