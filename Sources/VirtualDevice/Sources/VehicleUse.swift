import Core

/// The use of vehicles, and which one: a speed above 5 m/s, from where it set off to where it stops
/// or is slow for a minute.
struct VehicleUse {
  enum Change {
    case began(UTCInstant, vehicle: Int)
    case ended(UTCInstant)
  }

  static let drivingSpeed: MetresPerSecond = 5
  /// Faster than any walk.
  static let walkingSpeed: MetresPerSecond = 2.5
  /// Shorter stops are caused by traffic.
  static let maxStop: Seconds = 60
  /// The maximum time of a vehicle to reach its speed; a longer start includes a walk to the
  /// vehicle.
  static let maxStart: Seconds = 30
  /// A vehicle within this distance is the one that was left there.
  private static let parkingRadius: Metres = 100
  private static let maxParked = 16

  private var setOff: UTCInstant?
  /// The last moment faster than a walk, during a use.
  private var driven: TruthSegment.Moment?
  private var vehicle = 0
  private var vehicles = 0
  /// The parking positions of vehicles, the latest last.
  private var parked: [(position: Coordinate, vehicle: Int)] = []

  /// When it last moved, during a use.
  var lastDriven: UTCInstant? { driven?.time }

  mutating func follow(_ spell: TruthSegment) -> [Change] {
    var changes: [Change] = []
    if spell.kind == .moving {
      if !spell.isContinued || setOff == nil { setOff = spell.begins }
      for moment in spell.moments {
        if let change = stop(by: moment.time) { changes.append(change) }
        if driven == nil, moment.speed > Self.drivingSpeed { changes.append(begin(moment, spell)) }
        if driven != nil, moment.speed >= Self.walkingSpeed { driven = moment }
      }
    } else {
      setOff = nil
    }
    if let change = stop(by: spell.ends) { changes.append(change) }
    return changes
  }

  private mutating func begin(_ moment: TruthSegment.Moment, _ spell: TruthSegment) -> Change {
    driven = moment
    let setOff = setOff ?? moment.time
    let began = moment.time - setOff <= Self.maxStart ? setOff : moment.time
    let here = spell.moments.first { $0.time >= began }?.position ?? moment.position
    if let index = parked.lastIndex(where: {
      Sphere.distance($0.position, here) <= Self.parkingRadius
    }) {
      vehicle = parked.remove(at: index).vehicle
    } else {
      vehicles += 1
      vehicle = vehicles
    }
    return .began(began, vehicle: vehicle)
  }

  /// The end of the use, if it has been slow for long enough by then.
  private mutating func stop(by moment: UTCInstant) -> Change? {
    guard let last = driven, moment - last.time >= Self.maxStop else { return nil }
    driven = nil
    parked.append((last.position, vehicle))
    if parked.count > Self.maxParked { parked.removeFirst() }
    return .ended(last.time)
  }
}
