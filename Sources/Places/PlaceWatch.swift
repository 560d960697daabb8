import Core
import Records

/// Monitors the places around the board: the board's presence at each, and how soon that could
/// change.
///
/// The places are those of a window around the board, which is as wide as necessary to contain
/// some: there are others beyond its edge, so a fix is needed before the board could be there. The
/// board is never at a closed place: if it is there when the place opens, it arrives then, and a
/// place that closes is not left. Fixes are requested only for places with an interest; changes at
/// the others are detected from locations obtained for other reasons.
public struct PlaceWatch: Sendable {
  /// Sorted, so that the same events have the same effects.
  private var watched: [WatchedPlace] = []
  private var interests: [PlaceInterest] = []
  /// The last positions of the devices that places follow.
  public private(set) var devices = DeviceReports()
  private var beacons = BeaconReceptions()
  private var window = LoadedWindow()
  private var last: (location: Location, at: BootInstant)?
  private var earlierLocation = EarlierLocation()
  private var restingSince: BootInstant?
  private var stillSince: BootInstant?
  private var nextCheck = NextCheckSchedule()
  private var plausibility = SpeedPlausibility()
  /// Whether the board can have reached its last location.
  private var isCredible = true
  private var nextFix: PlaceReach.FixRequest?
  /// The states of places that are not monitored.
  private var earlier: [PlaceZone: PlacePresence.State]

  /// - Parameter states: the states of an earlier run.
  public init(states: [PlaceZone: PlacePresence.State] = [:]) { earlier = states }

  // MARK: State

  /// Nil: the place is not monitored.
  subscript(zone: PlaceZone) -> WatchedPlace? { watched.first { $0.zone == zone } }

  /// The monitored places, and the board's presence at each.
  public var places: [(place: Place, state: PlacePresence.State)] {
    watched.filter { $0.margin == 0 }.map { ($0.place, $0.state) }
  }

  /// The known states, to continue from after a restart.
  var states: [PlaceZone: PlacePresence.State] {
    var all = earlier
    for one in watched where one.state != .unknown { all[one.zone] = one.state }
    return all
  }

  /// The maximum number of monitored places that stay in position.
  public static let most = PlaceWindow.most

  /// Whether there are more places around the board than can be monitored.
  public var isCrowded: Bool { window.isCrowded }

  /// Whether a request to the store is pending.
  var isWaiting: Bool { window.isWaiting }

  // MARK: Events

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: the date at `now`; nil: unknown, and every place is assumed to be open.
  public mutating func step(
    _ event: PlaceEvent, at now: BootInstant, date: UTCInstant?
  ) -> [PlaceEffect] {
    var effects: [PlaceEffect] = []
    openAndClose(at: now, date, &effects)
    switch event {
    case .presence(.located(let location)): located(location, at: now, &effects)
    case .presence(let event): handle(event, at: now)
    case .still(let since): stillSince = since
    case .wanted(let interests): want(interests, &effects)
    case .found(let places, let openings, let request, let isCut):
      guard window.answered(request, with: places, isCut: isCut, &effects) else { break }
      found(places, openings, isCut, at: now, date, &effects)
    case .edited: window.repeatRequest(&effects)
    case .device(let name, let position): moved(name, to: position, at: now)
    case .beacon(let place, let hearing): handle(hearing, of: place, &effects)
    case .timePassed: break
    }
    beacons.update(&watched, at: now, date, &effects)
    let next = nextFixRequest(at: now, date)
    if next != nextFix {
      nextFix = next
      effects.append(.requestFix(next))
    }
    return effects
  }

  private mutating func located(
    _ location: Location, at now: BootInstant, _ effects: inout [PlaceEffect]
  ) {
    isCredible = plausibility.isCredible(location, at: now)
    let way = last.map { Sphere.distance($0.location.position, location.position) } ?? 0
    last = (location, now)
    earlierLocation.located(location, at: now)
    nextCheck.receptionChanged()
    window.follow(location, &effects)
    for index in watched.indices {
      watched[index].forgetVanished(at: now)
      watched[index].passed(way)
      guard watched[index].isOpen else { continue }
      locate(location, index, at: now, &effects)
    }
  }

  private mutating func locate(
    _ location: Location, _ index: Int, at now: BootInstant, _ effects: inout [PlaceEffect]
  ) {
    guard let change = watched[index].located(location, at: now, isCredible: isCredible)
    else { return }
    let one = watched[index]
    effects.append(.changed(PlaceChange(place: one.place, margin: one.margin, change: change)))
  }

  private mutating func handle(_ event: PresenceEvent, at now: BootInstant) {
    switch event {
    case .located: break
    case .searchFailed: nextCheck.searchFailed(at: now)
    case .resting(let since): restingSince = restingSince ?? since
    case .moving:
      restingSince = nil
      stillSince = nil
      nextCheck.receptionChanged()
    }
    for index in watched.indices { watched[index].handle(event, at: now) }
  }

  private mutating func moved(_ name: String, to position: Coordinate, at now: BootInstant) {
    let report = devices.record(name, at: position, now)
    for index in watched.indices where watched[index].place.device == name {
      watched[index].moved(report)
    }
  }

  /// Receiving a beacon means being at its place, wherever the last location was.
  private mutating func handle(
    _ hearing: BeaconReception, of place: Place, _ effects: inout [PlaceEffect]
  ) {
    beacons.record(hearing, of: place)
    guard hearing.isReceived, case .fixed(let centre) = place.location,
      !watched.contains(where: { $0.place.id == place.id }), !window.contains(centre)
    else { return }
    window.move(to: centre, &effects)
  }

  // MARK: Opening times

  /// When time alone may cause a change: a place with an interest opens, or the silence of a beacon
  /// is long enough; nil: never.
  func due(at now: BootInstant, date: UTCInstant?) -> UTCInstant? {
    let opening = watched.compactMap { $0.wanted == nil ? nil : $0.opensNext }.min()
    let silence = watched.compactMap(\.silenceEnds).min()
    let end = silence.flatMap { end in date.map { $0 + (end - now) } }
    return [opening, end].compactMap { $0 }.min()
  }

  private mutating func openAndClose(
    at now: BootInstant, _ date: UTCInstant?, _ effects: inout [PlaceEffect]
  ) {
    for index in watched.indices { watched[index].follow(at: now) }
    for index in watched.indices
    where watched[index].updateOpening(date, restingSince: restingSince, at: now) {
      guard let last, isStillThere else { continue }
      locate(last.location, index, at: now, &effects)
    }
  }

  private mutating func nextFixRequest(at now: BootInstant, _ date: UTCInstant?) -> PlaceReach
    .FixRequest?
  {
    guard let last, let current = window.current, interests.contains(where: \.requestsFixes)
    else { return nil }
    let sight = NextCheckSchedule.Sight(
      last: last.location, at: last.at, window: current, restingSince: restingSince,
      stillSince: stillSince, isStillThere: isStillThere)
    return nextCheck.next(sight, &watched, at: now, date)
  }

  /// Whether the board has not moved since its last location.
  private var isStillThere: Bool {
    guard let restingSince, let last else { return false }
    return last.at >= restingSince
  }

  // MARK: Which places

  private mutating func found(
    _ places: [Place], _ openings: [PlaceID: PlaceOpening], _ isCut: Bool, at now: BootInstant,
    _ date: UTCInstant?, _ effects: inout [PlaceEffect]
  ) {
    let news = watch(places, openings, isCut, at: now)
    for index in watched.indices {
      _ = watched[index].updateOpening(date, restingSince: restingSince, at: now)
    }
    guard let last else { return }
    for index in watched.indices where news.contains(watched[index].zone) {
      guard watched[index].isOpen else { continue }
      findElsewhere(index, &effects)
      locate(last.location, index, at: now, &effects)
    }
  }

  /// A board that approaches a newly created place arrives there: an earlier location outside
  /// establishes the state, without waiting for two more.
  private mutating func findElsewhere(_ index: Int, _ effects: inout [PlaceEffect]) {
    let one = watched[index]
    guard one.state == .unknown, !one.place.isFollowing, let earlier = earlierLocation.known,
      one.verdict(of: earlier.location) == .outside
    else { return }
    locate(earlier.location, index, at: earlier.at, &effects)
  }

  private mutating func want(_ interests: [PlaceInterest], _ effects: inout [PlaceEffect]) {
    guard interests != self.interests else { return }
    let margins = Set(self.interests.map(\.margin))
    self.interests = interests
    for index in watched.indices { watched[index].want(interests) }
    // Margins have changed: new zones are needed.
    if Set(interests.map(\.margin)) != margins { window.repeatRequest(&effects) }
  }

  /// - Returns: the zones that are new or have moved.
  private mutating func watch(
    _ places: [Place], _ openings: [PlaceID: PlaceOpening], _ isCut: Bool, at now: BootInstant
  ) -> Set<PlaceZone> {
    var known = Dictionary(watched.map { ($0.zone, $0) }) { first, _ in first }
    var news: Set<PlaceZone> = []
    watched = places.flatMap { place in
      let opening = openings[place.id] ?? PlaceOpening(place.lifetime)
      var first: WatchedPlace?
      return margins(of: place).map { margin in
        let zone = PlaceZone(place.id, margin: margin)
        var before = known.removeValue(forKey: zone)
        let isSame = before?.edited(place, opening) == true
        if !isSame { news.insert(zone) }
        var one = isSame ? before : nil
        let state = before?.state ?? earlier[zone]
        earlier[zone] = nil
        one = one ?? make(place, opening, margin, state, sharing: first, at: now)
        one?.want(interests)
        first = first ?? one
        return one
      }
    }.compactMap { $0 }
    for (zone, one) in known where one.state != .unknown {
      // With an incomplete list, the board has to leave a place before the place is dropped.
      if isCut, one.state == .inside { watched.append(one) } else { earlier[zone] = one.state }
    }
    earlier = earlier.filter { $0.value == .inside }
    watched.sort { $0.zone < $1.zone }
    return news
  }

  private func margins(of place: Place) -> [Metres] {
    let wider = Set(interests.filter { $0.places.contains(place) }.map(\.margin))
    return [0] + wider.subtracting([0]).sorted()
  }

  private func make(
    _ place: Place, _ opening: PlaceOpening, _ margin: Metres, _ state: PlacePresence.State?,
    sharing other: WatchedPlace?, at now: BootInstant
  ) -> WatchedPlace {
    var one = WatchedPlace(
      place, opening, margin: margin, device: place.device.flatMap { devices.report(of: $0) },
      state: state ?? .unknown, sharing: other)
    if state == nil, !place.isFollowing, let last, let region = one.region,
      window.isBeyond(region, from: last.location)
    {
      one.assumeOutside(at: now)
    }
    if let restingSince { one.handle(.resting(since: restingSince), at: now) }
    return one
  }
}

extension Place {
  /// The device that the place follows.
  fileprivate var device: String? {
    if case .following(let device) = details.location { device.name } else { nil }
  }
}
