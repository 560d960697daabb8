import Core
import Records

extension SourceKind {
  /// A connection that is up anyway reports its changes at no cost.
  public static let network = SourceKind("network") {
    NetworkSource(from: $0.time, seed: $0.seed, random: $0.random(2))
  }
}

/// The network that the board is joined to. Seven of ten places below a roof with stays of half an
/// hour have one, always the same; so has one vehicle of twenty, which carries it along.
struct NetworkSource: SourceBehaviour {
  static let placesWithOne = 0.7
  static let vehiclesWithOne = 0.05
  /// The shortest stay that makes a place.
  static let minStay: Seconds = .minutes(30)
  static let joinedAfter = 10.0...60.0
  static let lostAfter = 5.0...30.0
  /// The maximum distance between rooms of one place.
  private static let placeRadius: Metres = 60
  private static let maxPlaces = 1000

  private let seed: UInt64
  private var random: SeededRandom
  private var use = VehicleUse()
  private var atStart: UTCInstant?
  /// Places of earlier stays of that length, the latest last.
  private var places: [(position: Coordinate, network: String?)] = []
  private var stay: Stay?
  /// The network in range, and when it will be joined if it still is.
  private var expected: Network?
  private var joined: Network?
  /// When the present movement began.
  private var setOff: UTCInstant
  /// No network is joined before the last one is lost.
  private var lastReport: UTCInstant

  private struct Stay {
    let position: Coordinate
    let arrival: UTCInstant
    var until: UTCInstant
    var underRoof: Seconds = 0
    /// Whether the network has been determined.
    var isDecided = false
  }

  private struct Network {
    let isVehicle: Bool
    let name: String
    let at: UTCInstant
  }

  init(from start: UTCInstant, seed: UInt64, random: SeededRandom) {
    self.seed = seed
    self.random = random
    atStart = start
    setOff = start
    lastReport = start
  }

  mutating func follow(_ spell: TruthSegment) -> [SourceReport] {
    var reports: [SourceReport] = []
    if let start = atStart {
      atStart = nil
      reports.append(SourceReport(.network(nil), at: start))
    }
    switch spell.kind {
    case .resting: reports += rest(spell)
    case .moving:
      if !spell.isContinued { setOff = spell.begins }
      if let stay, spell.leaves(stay.position, beyond: Self.placeRadius) { reports += depart() }
    case .unknown:
      setOff = spell.begins
      reports += depart()
    }
    for change in use.follow(spell) { reports += drive(change) }
    return reports + join(by: spell.ends)
  }

  // MARK: Places

  private mutating func rest(_ spell: TruthSegment) -> [SourceReport] {
    guard let position = spell.moments.first?.position else { return [] }
    var reports: [SourceReport] = []
    if let stay, Sphere.distance(stay.position, position) > Self.placeRadius { reports += depart() }
    var stay = self.stay ?? arrive(at: position, spell.begins)
    stay.until = spell.ends
    if spell.isUnderRoof { stay.underRoof += spell.duration }
    let time = stay.until - stay.arrival
    if !stay.isDecided, time >= Self.minStay, stay.underRoof * 2 >= time {
      stay.isDecided = true
      expect(learn(stay.position), of: stay)
    }
    self.stay = stay
    return reports
  }

  private mutating func arrive(at position: Coordinate, _ moment: UTCInstant) -> Stay {
    var stay = Stay(position: position, arrival: moment, until: moment)
    let known = places.first {
      // Most are too far away for an exact measurement.
      ($0.position.latitude - position.latitude).magnitude < 0.001
        && Sphere.distance($0.position, position) <= Self.placeRadius
    }
    if let known {
      stay.isDecided = true
      expect(known.network, of: stay)
    }
    return stay
  }

  /// The network depends on the place and the seed, not on the time of a visit.
  private mutating func learn(_ position: Coordinate) -> String? {
    let north = Int64((position.latitude.value * 1e4).rounded())
    let east = Int64((position.longitude.value * 1e4).rounded())
    var spot = SeededRandom(
      seed: seed ^ UInt64(bitPattern: north &* 0x1_0000_0001 ^ east), stream: 0x4E65_7477)
    let hasOne = spot.chance(Self.placesWithOne)
    let network = hasOne ? Self.name(&spot) : nil
    places.append((position, network))
    if places.count > Self.maxPlaces { places.removeFirst() }
    return network
  }

  private static func name(_ random: inout SeededRandom) -> String {
    let bits = random.next()
    return BSSID.text(UInt32(truncatingIfNeeded: bits), Int(bits >> 48))
  }

  private mutating func expect(_ network: String?, of stay: Stay) {
    let moment = stay.arrival + Seconds(random.uniform(in: Self.joinedAfter))
    guard let network else { return }
    expected = Network(isVehicle: false, name: network, at: moment)
  }

  private mutating func depart() -> [SourceReport] {
    guard stay != nil else { return [] }
    stay = nil
    return leave(isVehicle: false, at: setOff)
  }

  // MARK: Vehicles

  private mutating func drive(_ change: VehicleUse.Change) -> [SourceReport] {
    switch change {
    case .began(let moment, let vehicle):
      var own = SeededRandom(seed: seed, stream: 0x5665_6869_0000 + UInt64(vehicle))
      guard own.chance(Self.vehiclesWithOne) else { return [] }
      let joins = moment + Seconds(random.uniform(in: Self.joinedAfter))
      expected = Network(isVehicle: true, name: Self.name(&own), at: joins)
      return []
    case .ended(let moment): return leave(isVehicle: true, at: moment)
    }
  }

  // MARK: Joining and leaving

  /// Joins a network that has been in range for long enough by then.
  private mutating func join(by moment: UTCInstant) -> [SourceReport] {
    guard let network = expected else { return [] }
    // The end of a use is only known a minute later.
    let known = network.isVehicle ? use.lastDriven ?? network.at : moment
    guard network.at <= known else { return [] }
    expected = nil
    joined = network
    lastReport = max(network.at, lastReport + 0.1)
    return [SourceReport(.network(network.name), at: lastReport)]
  }

  private mutating func leave(isVehicle: Bool, at moment: UTCInstant) -> [SourceReport] {
    if expected?.isVehicle == isVehicle { expected = nil }
    guard let network = joined, network.isVehicle == isVehicle else { return [] }
    joined = nil
    lastReport = max(moment + Seconds(random.uniform(in: Self.lostAfter)), lastReport + 0.1)
    return [SourceReport(.network(nil), at: lastReport)]
  }
}
