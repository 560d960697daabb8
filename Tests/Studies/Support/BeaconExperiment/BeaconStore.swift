import Core
import Formats
import Places
import Ports
import StoreStandIns
import Records
import VirtualDevice

/// A store with the places of a life, which records the crossings.
final class BeaconStore: EmptyStore {
  override var name: String { "beacons" }
  /// A crossing, and when it was reported, which is when it is written first. (The crossing's own
  /// times bound the actual crossing and may both be earlier.)
  struct Told {
    let place: String
    let change: Crossing.Change
    let at: UTCInstant
  }

  private(set) var crossings: [Told] = []
  /// The current time.
  var date = { UTCInstant(seconds: 0) }
  private let places: [Place]

  init(_ life: BeaconLife, seed: UInt64) throws {
    var chance = SeededRandom(seed: seed, stream: 77)
    places = try life.spots.map { spot in
      var details = PlaceDetails(
        name: spot.place.name, location: .fixed(spot.place.position),
        perimeter: .circle(radius: spot.radius), owner: PlaceFileDefaults.ofStore.owner)
      guard case .iBeacon(let uuid, let major, let minor) = spot.beacon.frame.beacon else {
        preconditionFailure("a life's beacons are iBeacons")
      }
      details.beacons = [.iBeacon(uuid: uuid, major: major, minor: minor)]
      return try Place(id: PlaceID.made(using: &chance), details)
    }
  }

  override func write(_ records: [Record]) throws(PortError) {
    for case .crossing(let crossing) in records {
      crossings.append(Told(place: crossing.placeName, change: crossing.change, at: date()))
    }
  }

  override func places(
    near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
  ) -> PlaceReading {
    for place in places {
      guard case .fixed(let at) = place.location, box.contains(at) else { continue }
      take(PlaceRow(place))
    }
    return PlaceReading()
  }

  override func placesWithBeacons(atMost most: Int, _ take: (PlaceRow) -> Void) -> PlaceReading {
    for place in places { take(PlaceRow(place)) }
    return PlaceReading()
  }
}
