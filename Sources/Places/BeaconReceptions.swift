import Core

/// The reception of the beacons of places.
struct BeaconReceptions: Sendable {
  private var receptions: [PlaceID: BeaconReception] = [:]

  mutating func record(_ reception: BeaconReception, of place: Place) {
    receptions[place.id] = reception
  }

  /// A crossing needs a date: until there is one, beacon reception has no effect.
  mutating func update(
    _ watched: inout [WatchedPlace], at now: BootInstant, _ date: UTCInstant?,
    _ effects: inout [PlaceEffect]
  ) {
    guard let date, !receptions.isEmpty else { return }
    for index in watched.indices
    where watched[index].needsBeaconUpdate(receptions[watched[index].place.id], at: now) {
      let one = watched[index]
      guard let change = watched[index].keepBeacons(receptions[one.place.id], at: now, date: date)
      else { continue }
      effects.append(.changed(PlaceChange(place: one.place, margin: one.margin, change: change)))
    }
    let known = Set(watched.map(\.place.id))
    receptions = receptions.filter { $0.value.isReceived || known.contains($0.key) }
  }
}
