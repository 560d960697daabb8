import RadioSignals
import GodwitSettings
import Core
import Places
import VirtualDevice

/// The virtual board's radio, and the beacons of the given places: each is installed at its place.
struct SimulatedBeacons {
  /// Typical of beacons at 1 m.
  private static let strengthAtOneMetre: DecibelMilliwatts = -59

  let settings: VirtualBeaconSettings
  private let placeCount: Int

  /// Nil: the board has no radio (bluetooth.kind), or no place has a beacon.
  init?(_ places: [Place], _ settings: Settings, seed: UInt64) {
    guard settings.bluetooth.kind == .bluez else { return nil }
    let regions = places.flatMap(\.beacons)
    var beacons: [BeaconWorld.PlacedBeacon] = []
    var placeCount = 0
    for place in places where !place.beacons.isEmpty {
      // The position of a device that carries a beacon is unknown.
      guard case .fixed(let position) = place.location else { continue }
      placeCount += 1
      for region in place.beacons {
        let frame = BeaconFrame(
          region.beacon(besides: regions), strengthAtOneMetre: Self.strengthAtOneMetre)
        beacons.append(.init(place.name, frame, at: position, isIndoors: nil))
      }
    }
    guard placeCount > 0 else { return nil }
    self.placeCount = placeCount
    self.settings = VirtualBeaconSettings(
      BeaconWorld(beacons, seed: seed), keepsWatch: settings.bluetooth.method != .discovery,
      leastStrength: settings.beacons.leastStrength,
      listeningPower: settings.bluetooth.listeningPower)
  }

  /// The radio's activity, for the summary.
  func report(of radio: VirtualBeaconRadio) -> SimulatedBeaconsReport {
    SimulatedBeaconsReport(
      places: placeCount, method: radio.method?.rawValue ?? "", listened: radio.listened,
      energy: radio.energy, wakes: radio.wakes)
  }
}

/// The cost of listening for beacons on a simulated board.
struct SimulatedBeaconsReport {
  let places: Int
  let method: String
  let listened: Seconds
  let energy: Joules
  /// How often the radio has woken the board.
  let wakes: Int

  var member: (String, JSONValue) {
    (
      "beacons",
      .object([
        ("places", .count(places)), ("method", .string(method)),
        ("listened_s", .rounded(listened.value, digits: 1)),
        ("energy_J", .rounded(energy.value, digits: 3)), ("wakes", .count(wakes)),
      ])
    )
  }

  var text: String {
    "beacons: \(Counted.text(places, "place")), listened for \(listened.inWords) by \(method), "
      + "\(FixedDecimal.text(energy.value, digits: 2)) J of the other sources; "
      + "the board was woken \(Counted.text(wakes, "time"))"
  }
}

extension BeaconRegion {
  /// One of its beacons; if possible one that belongs to no other region.
  fileprivate func beacon(besides others: [BeaconRegion]) -> BeaconIdentity {
    let candidates = (1...UInt16.max).lazy.map { beacon(numbered: $0) }
    let own = candidates.prefix(Self.mostTried).first { one in
      others.allSatisfy { $0 == self || !$0.contains(one) }
    }
    return own ?? beacon(numbered: 1)
  }

  private static let mostTried = 100

  /// - Parameter number: used where the region leaves a number open.
  private func beacon(numbered number: UInt16) -> BeaconIdentity {
    switch self {
    case .iBeacon(let uuid, let major, let minor):
      return .iBeacon(uuid: uuid, major: major ?? number, minor: minor ?? number)
    case .eddystone(let namespace, let instance):
      let bytes = [0, 0, 0, 0, UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
      guard let uid = EddystoneUID(namespace: namespace, instance: instance ?? bytes) else {
        preconditionFailure("a region has bytes of these lengths")
      }
      return .eddystone(uid)
    }
  }
}
