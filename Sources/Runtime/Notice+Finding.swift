import Places
import Core
import Records

extension Crossing {
  /// - Parameter date: the date of a boot clock instant, as far as it is known.
  init(_ id: Int64, _ change: PlaceChange, date: (BootInstant) -> UTCInstant?) {
    let presence = change.change
    let time = presence.location.time
    let word: Change =
      switch (presence.from, presence.to) {
      case (.inside, _): .left
      case (.unknown, _): .found
      default: .entered
      }
    self.init(
      id: id, word, time: time, earliest: presence.earliest.flatMap(date),
      latest: date(presence.latest) ?? time,
      place: (change.place.id.description, change.place.name, change.place.version),
      position: presence.location.position, accuracy: presence.location.accuracy,
      distance: presence.containment.signedDistance,
      probabilityInside: presence.containment.probabilityInside)
    evidence = presence.isByBeacon ? .beacon : .location
  }
}

extension Notice {
  init(_ id: Int64, _ finding: AlertFinding, date: UTCInstant?, isTest: Bool) {
    let alert = finding.alert
    self.init(
      id: id, time: date ?? finding.location?.time, alert: alert.id, name: alert.name,
      kind: .alert(alert.rule.kind), text: finding.text)
    placeUUID = finding.place?.id.description
    placeName = finding.place?.name
    position = finding.location?.position
    accuracy = finding.location?.accuracy
    locatedAt = finding.location?.time
    self.isTest = isTest
  }
}
