import Core
import Records

/// What can happen to the places around the board.
public enum PlaceEvent: Sendable {
  /// Something that tells where the board is, or whether it moves.
  case presence(PresenceEvent)
  /// Locations show that the board stays where it is, since then; nothing else would tell if it
  /// left. Nil: it does not.
  case still(since: BootInstant?)
  /// What people want to be told of, instead of what they wanted before.
  case wanted([PlaceInterest])
  /// What was asked for: the places within a box, and those that go with a device.
  /// - openings: when those are there that are not always; else the lifetime alone counts.
  /// - request: the number of what is answered; only the newest counts.
  /// - isCut: whether there are more than so many that stay where they are, or than can be kept.
  case found([Place], openings: [PlaceID: PlaceOpening] = [:], request: Int, isCut: Bool)
  /// Places open and close; the other events tell of it, too.
  case timePassed
  /// Somebody has edited places.
  case edited
  /// A tracked device has told where it is.
  case device(String, at: Coordinate)
  /// A beacon of a place is heard, or none of its is any more.
  case beacon(Place, BeaconReception)
}

/// What is to be done about them.
public enum PlaceEffect: Hashable, Sendable {
  /// Answer with `PlaceEvent.found`.
  case find(near: GeographicBox, atMost: Int, request: Int)
  case changed(PlaceChange)
  /// When a location is wanted next; replaces what was wanted before. Nil: none is.
  case look(PlaceReach.Look?)
}

/// Watches the places around the board: knows for each whether the board is there, and how soon
/// that could change.
///
/// The places are those of a window around the board, which is as wide as it takes to hold some:
/// beyond its edge others begin, so that it is looked again before the board could be there. A
/// place that is closed is nowhere: whoever is there when it opens comes to it then, and nobody
/// leaves it when it closes. The board is looked for only because of places of which somebody wants
/// to be told; what happens at the others is noticed as far as the locations go that come anyway.
public struct PlaceWatch: Sendable {
  /// In order, so that the same events have the same effects.
  private var watched: [WatchedPlace] = []
  private var interests: [PlaceInterest] = []
  /// Where the devices that places follow were last.
  public private(set) var devices = DeviceReports()
  /// Of places with beacons, as far as any was heard.
  private var hearings: [PlaceID: BeaconReception] = [:]
  private var window: PlaceWindow?
  /// The one that was asked for and not answered yet.
  private var asked: PlaceWindow?
  /// The last one of which all places were told.
  private var surveyed: PlaceWindow?
  private var requests = 0
  private var last: (location: Location, at: BootInstant)?
  private var earlierLocation = EarlierLocation()
  private var restingSince: BootInstant?
  private var stillSince: BootInstant?
  private var nextCheck = NextCheckSchedule()
  private var way = SpeedPlausibility()
  /// Whether the board can have come to where it was located last.
  private var isCredible = true
  private var look: PlaceReach.Look?
  /// What is known of places that are not watched.
  private var earlier: [PlaceZone: PlacePresence.State]

  /// - Parameter states: what an earlier run has found of places.
  public init(states: [PlaceZone: PlacePresence.State] = [:]) { earlier = states }

  // MARK: What is known

  /// Whether the board is at a place; nil: it is not among those that are watched.
  public func state(of zone: PlaceZone) -> PlacePresence.State? {
    watched.first { $0.zone == zone }?.state
  }

  /// What a location says of a place by itself, where one whose error is larger than the place is
  /// says little; nil: the place is not watched, or nobody knows where it is.
  public func verdict(of location: Location, on zone: PlaceZone) -> Containment.Verdict? {
    guard let region = watched.first(where: { $0.zone == zone })?.region,
      let containment = Containment(of: location, in: region)
    else { return nil }
    let tells = PlacePresence.tells(containment, within: location.accuracy, of: region)
    return tells || containment.verdict == .inside ? containment.verdict : .unknown
  }

  /// From a position to the edge of a place, negative inside; nil: the place is not watched, or
  /// nobody knows where it is.
  public func distance(from position: Coordinate, to zone: PlaceZone) -> Metres? {
    watched.first { $0.zone == zone }?.region?.signedDistance(from: position)
  }

  /// The places that are watched, and whether the board is there.
  public var places: [(place: Place, state: PlacePresence.State)] {
    watched.filter { $0.margin == 0 }.map { ($0.place, $0.state) }
  }

  /// Where the board was found to be or not to be, to go on from after a restart.
  public var states: [PlaceZone: PlacePresence.State] {
    var all = earlier
    for one in watched where one.state != .unknown { all[one.zone] = one.state }
    return all
  }

  /// So many places around are watched, which stay where they are.
  public static let most = PlaceWindow.most

  /// Whether more places lie around the board than can be watched: some of them are not.
  public private(set) var isCrowded = false

  /// Whether the store has been asked for places and has not answered.
  public var isWaiting: Bool { asked != nil }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known, and every place is taken to exist.
  public mutating func step(
    _ event: PlaceEvent, at now: BootInstant, date: UTCInstant?
  ) -> [PlaceEffect] {
    var effects: [PlaceEffect] = []
    openAndClose(at: now, date, &effects)
    switch event {
    case .presence(.located(let location)): located(location, at: now, &effects)
    case .presence(let event): heard(event, at: now)
    case .still(let since): stillSince = since
    case .wanted(let interests): want(interests, &effects)
    case .found(let places, let openings, let request, let isCut):
      guard request == requests else { break }
      found(places, openings, isCut, at: now, date, &effects)
    case .edited: ask(asked ?? window, &effects)
    case .device(let name, let position): moved(name, to: position, at: now)
    case .beacon(let place, let hearing): heard(hearing, of: place, &effects)
    case .timePassed: break
    }
    keepBeacons(at: now, date, &effects)
    let next = nextLook(at: now, date)
    if next != look {
      look = next
      effects.append(.look(next))
    }
    return effects
  }

  private mutating func located(
    _ location: Location, at now: BootInstant, _ effects: inout [PlaceEffect]
  ) {
    isCredible = way.isCredible(location, at: now)
    let way = last.map { Sphere.distance($0.location.position, location.position) } ?? 0
    last = (location, now)
    earlierLocation.located(location, at: now)
    nextCheck.skyChanged()
    keepWindow(around: location, &effects)
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

  private mutating func heard(_ event: PresenceEvent, at now: BootInstant) {
    switch event {
    case .located: break
    case .searchFailed: nextCheck.searchFailed(at: now)
    case .resting(let since): restingSince = restingSince ?? since
    case .moving:
      restingSince = nil
      stillSince = nil
      nextCheck.skyChanged()
    }
    for index in watched.indices { watched[index].heard(event, at: now) }
  }

  private mutating func moved(_ name: String, to position: Coordinate, at now: BootInstant) {
    let report = devices.heard(name, at: position, now)
    for index in watched.indices where watched[index].place.device == name {
      watched[index].moved(report)
    }
  }

  /// Who hears a beacon is at its place, wherever the last location was.
  private mutating func heard(
    _ hearing: BeaconReception, of place: Place, _ effects: inout [PlaceEffect]
  ) {
    hearings[place.id] = hearing
    guard hearing.isHeard, case .fixed(let centre) = place.location,
      !watched.contains(where: { $0.place.id == place.id }),
      (asked ?? window)?.box.contains(centre) != true
    else { return }
    ask(PlaceWindow(around: centre, radius: window?.radius), &effects)
  }

  /// A crossing has a date: as long as there is none, what is heard waits.
  private mutating func keepBeacons(
    at now: BootInstant, _ date: UTCInstant?, _ effects: inout [PlaceEffect]
  ) {
    guard let date, !hearings.isEmpty else { return }
    for index in watched.indices
    where watched[index].isNews(hearings[watched[index].place.id], at: now) {
      let one = watched[index]
      guard
        let change = watched[index].keepBeacons(hearings[one.place.id], at: now, date: date)
      else { continue }
      effects.append(.changed(PlaceChange(place: one.place, margin: one.margin, change: change)))
    }
    let known = Set(watched.map(\.place.id))
    hearings = hearings.filter { $0.value.isHeard || known.contains($0.key) }
  }

  /// Whether a place that nobody knew lies beyond what was surveyed, where the board has been until
  /// now: among many places the surroundings are small, and a car is at the next one before two
  /// locations have shown it outside.
  private func isBeyond(_ place: WatchedPlace) -> Bool {
    guard let surveyed, let last, let region = place.region, !place.place.isFollowing else {
      return false
    }
    return surveyed.depth(of: last.location.position) > last.location.accuracy
      && region.signedDistance(from: surveyed.centre) > surveyed.radius
  }

  // MARK: When places are there

  /// When time alone may change something: the first opens of which somebody wants to be told, or a
  /// beacon has been silent for long enough; nil: nothing will.
  public func due(at now: BootInstant, date: UTCInstant?) -> UTCInstant? {
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
    where watched[index].keepTime(date, restingSince: restingSince, at: now) {
      guard let last, isStillThere else { continue }
      locate(last.location, index, at: now, &effects)
    }
  }

  private mutating func nextLook(at now: BootInstant, _ date: UTCInstant?) -> PlaceReach.Look? {
    guard let last, let window, interests.contains(where: \.isLookedFor) else { return nil }
    let sight = NextCheckSchedule.Sight(
      last: last.location, at: last.at, window: window, restingSince: restingSince,
      stillSince: stillSince, isStillThere: isStillThere)
    return nextCheck.next(sight, &watched, at: now, date)
  }

  /// Whether the board has not moved since it was located.
  private var isStillThere: Bool {
    guard let restingSince, let last else { return false }
    return last.at >= restingSince
  }

  // MARK: Which places

  /// The window goes with the board: it is made anew in its outer half.
  private mutating func keepWindow(around location: Location, _ effects: inout [PlaceEffect]) {
    // What is known badly is not known better by asking again.
    if let current = asked ?? window,
      current.depth(of: location.position) - min(location.accuracy, current.radius / 4)
        > current.radius / 2
    {
      return
    }
    ask(PlaceWindow(around: location.position, radius: window?.radius), &effects)
  }

  private mutating func ask(_ window: PlaceWindow?, _ effects: inout [PlaceEffect]) {
    guard let window else { return }
    asked = window
    requests += 1
    effects.append(.find(near: window.box, atMost: PlaceWindow.most, request: requests))
  }

  private mutating func found(
    _ places: [Place], _ openings: [PlaceID: PlaceOpening], _ isCut: Bool, at now: BootInstant,
    _ date: UTCInstant?, _ effects: inout [PlaceEffect]
  ) {
    guard let asked else { return }
    let count = isCut ? PlaceWindow.most + 1 : places.count { !$0.isFollowing }
    if let other = asked.resized(for: count) { return ask(other, &effects) }
    window = asked
    self.asked = nil
    let news = watch(places, openings, isCut, at: now)
    surveyed = isCut ? nil : window
    isCrowded = isCut
    for index in watched.indices {
      _ = watched[index].keepTime(date, restingSince: restingSince, at: now)
    }
    guard let last else { return }
    for index in watched.indices where news.contains(watched[index].zone) {
      guard watched[index].isOpen else { continue }
      findElsewhere(index, &effects)
      locate(last.location, index, at: now, &effects)
    }
  }

  /// Who walks to a place that somebody has just made comes to it: two locations have shown the
  /// board outside before, and it is not waited for two more.
  private mutating func findElsewhere(_ index: Int, _ effects: inout [PlaceEffect]) {
    let one = watched[index]
    guard one.state == .unknown, !one.place.isFollowing, let earlier = earlierLocation.known,
      verdict(of: earlier.location, on: one.zone) == .outside
    else { return }
    locate(earlier.location, index, at: earlier.at, &effects)
  }

  private mutating func want(_ interests: [PlaceInterest], _ effects: inout [PlaceEffect]) {
    guard interests != self.interests else { return }
    let margins = Set(self.interests.map(\.margin))
    self.interests = interests
    for index in watched.indices { watched[index].want(interests) }
    // Zones of other widths have to be made.
    if Set(interests.map(\.margin)) != margins { ask(asked ?? window, &effects) }
  }

  /// - Returns: the zones that are new, or elsewhere.
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
      // Where not all are told, one that the board is in has to be left before it is forgotten.
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
    if state == nil, isBeyond(one) { one.cameInSight(at: now) }
    if let restingSince { one.heard(.resting(since: restingSince), at: now) }
    return one
  }
}

extension Place {
  /// The one that it goes with.
  fileprivate var device: String? {
    if case .following(let device) = details.location { device.name } else { nil }
  }
}
