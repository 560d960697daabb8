import Delivery
import Formats
import Places
import Platform
import Ports
import Records

/// Determines what may leave the board, by the settings, the store's places and the outbox's
/// pauses.
struct PrivateAreas {
  private let parts: UplinkRun.Parts
  private let settings: PrivacySettings

  init(_ parts: UplinkRun.Parts, _ settings: UplinkSettings) {
    self.parts = parts
    self.settings = settings.privacy
  }

  /// - Throws: if a private place is unknown: then nothing is sent at all.
  func privacy() throws(PortError) -> PrivacyFilter {
    var areas: [PrivateArea] = []
    for name in settings.places { areas += try found(name) }
    let pauses = try parts.outbox.pauses()
    return PrivacyFilter(
      settings, areas: areas, zone: parts.zone, pauses: pauses, visitor: parts.visitor)
  }

  private func found(_ name: String) throws(PortError) -> [PrivateArea] {
    let rows = try parts.store.places(called: name)
    guard !rows.isEmpty else {
      throw PortError(
        "uplink.privacy.places: no place in \(parts.store.name) is called \"\(name)\": nothing "
          + "is sent until that is corrected (godwit places lists them)")
    }
    return try rows.map { (row) throws(PortError) in
      guard let place = row.entry(.ofStore).place,
        let area = PrivateArea(place, margin: settings.margin)
      else {
        throw PortError(
          "uplink.privacy.places: the position of \"\(name)\" is unknown: nothing is sent until "
            + "that is corrected (godwit places)")
      }
      return area
    }
  }
}
