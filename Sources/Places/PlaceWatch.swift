import Geodesy
import Quantities
import Records

/// What can happen to the places around the board.
public enum PlaceEvent: Sendable {
  /// Something that tells where the board is, or whether it moves.
  case presence(PresenceEvent)
  /// What was asked for: the places within a box, and those that go with a device.
  /// - request: the number of what is answered; only the newest counts.
  /// - isCut: whether there are more than so many that stay where they are.
  case found([Place], request: Int, isCut: Bool)
  /// Somebody has edited places.
  case edited
  /// A tracked device has told where it is.
  case device(String, at: Coordinate)
}

/// What is to be done about them.
public enum PlaceEffect: Hashable, Sendable {
  /// Answer with `PlaceEvent.found`.
  case find(near: GeographicBox, atMost: Int, request: Int)
  case crossed(PlaceCrossing)
  /// When a location is wanted next; replaces what was wanted before. Nil: none is.
  case look(PlaceReach.Look?)
}

/// The board has come to a place, has left it, or was found there at first.
public struct PlaceCrossing: Hashable, Sendable {
  public var place: Place
  public var change: PresenceChange
}

/// Watches the places around the board: knows for each whether the board is there, and how soon
/// that could change.
///
/// The places are those of a window around the board, which is as wide as it takes to hold some:
/// beyond its edge others begin, so that it is looked again before the board could be there. A
/// place whose lifetime does not hold the present date is nowhere.
public struct PlaceWatch: Sendable {
  /// Nobody goes faster than this within minutes of going slowly.
  private static let leastSpeed: MetresPerSecond = 15
  private static let mostSpeed: MetresPerSecond = 90
  /// How much faster than it was seen the board may go on.
  private static let acceleration = 1.5
  /// At the edge of what is known a rough location does.
  private static let edgeAccuracy: Metres = 100
  /// How many of the nearest places are compared.
  private static let nearest = 8

  /// In the order of their ids, so that the same events have the same effects.
  private var watched: [WatchedPlace] = []
  private var devices = DeviceReports()
  private var window: PlaceWindow?
  /// The one that was asked for and not answered yet.
  private var asked: PlaceWindow?
  private var requests = 0
  private var last: (location: Location, at: BootInstant)?
  private var restingSince: BootInstant?
  private var look: PlaceReach.Look?
  /// What is known of places that are not watched.
  private var earlier: [PlaceID: PlacePresence.State]

  /// - Parameter states: what an earlier run has found of places.
  public init(states: [PlaceID: PlacePresence.State] = [:]) { earlier = states }

  /// Whether the board is at a place; nil: it is not among those that are watched.
  public func state(of id: PlaceID) -> PlacePresence.State? {
    watched.first { $0.place.id == id }.map { $0.presence?.state ?? .unknown }
  }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known, and every place is taken to exist.
  public mutating func step(
    _ event: PlaceEvent, at now: BootInstant, date: UTCInstant?
  ) -> [PlaceEffect] {
    var effects: [PlaceEffect] = []
    switch event {
    case .presence(.located(let location)): located(location, at: now, date, &effects)
    case .presence(let event): heard(event, at: now)
    case .found(let places, let request, let isCut):
      guard request == requests else { break }
      found(places, isCut, at: now, date, &effects)
    case .edited: ask(asked ?? window, &effects)
    case .device(let name, let position): moved(name, to: position, at: now)
    }
    let next = nextLook(at: now, date)
    if next != look {
      look = next
      effects.append(.look(next))
    }
    return effects
  }

  private mutating func located(
    _ location: Location, at now: BootInstant, _ date: UTCInstant?,
    _ effects: inout [PlaceEffect]
  ) {
    let way = last.map { Sphere.distance($0.location.position, location.position) } ?? 0
    last = (location, now)
    keepWindow(around: location, &effects)
    for index in watched.indices {
      watched[index].passed(way)
      guard exists(watched[index].place, date) else { continue }
      report(watched[index].located(location, at: now), index, &effects)
    }
  }

  /// What was not known before and is outside is no crossing.
  private func report(
    _ change: PresenceChange?, _ index: Int, _ effects: inout [PlaceEffect]
  ) {
    guard let change, change.to == .inside || change.from == .inside else { return }
    effects.append(.crossed(PlaceCrossing(place: watched[index].place, change: change)))
  }

  private mutating func heard(_ event: PresenceEvent, at now: BootInstant) {
    switch event {
    case .located, .searchFailed: break
    case .resting(let since): restingSince = restingSince ?? since
    case .moving: restingSince = nil
    }
    for index in watched.indices { watched[index].heard(event, at: now) }
  }

  private mutating func moved(_ name: String, to position: Coordinate, at now: BootInstant) {
    let report = devices.heard(name, at: position, now)
    for index in watched.indices where watched[index].place.device == name {
      watched[index].moved(report)
    }
  }

  private func exists(_ place: Place, _ date: UTCInstant?) -> Bool {
    date.map(place.lifetime.contains) ?? true
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
    _ places: [Place], _ isCut: Bool, at now: BootInstant, _ date: UTCInstant?,
    _ effects: inout [PlaceEffect]
  ) {
    guard let asked else { return }
    let count = isCut ? PlaceWindow.most + 1 : places.count { !$0.isFollowing }
    if let other = asked.resized(for: count) { return ask(other, &effects) }
    window = asked
    self.asked = nil
    let news = watch(places, isCut, at: now)
    guard let last else { return }
    for index in watched.indices where news.contains(watched[index].place.id) {
      guard exists(watched[index].place, date) else { continue }
      report(watched[index].located(last.location, at: now), index, &effects)
    }
  }

  /// - Returns: the places that are new, or elsewhere.
  private mutating func watch(
    _ places: [Place], _ isCut: Bool, at now: BootInstant
  ) -> Set<PlaceID> {
    var known = Dictionary(watched.map { ($0.place.id, $0) }) { first, _ in first }
    var news: Set<PlaceID> = []
    watched = places.map { place in
      var before = known.removeValue(forKey: place.id)
      if before?.edited(place) == true, let before { return before }
      news.insert(place.id)
      let state = before?.presence?.state ?? earlier.removeValue(forKey: place.id)
      var one = WatchedPlace(
        place, device: place.device.flatMap { devices.report(of: $0) }, state: state ?? .unknown)
      if let restingSince { one.heard(.resting(since: restingSince), at: now) }
      return one
    }
    // Where not all are told, one that the board is in has to be left before it is forgotten.
    if isCut { watched += known.values.filter { $0.presence?.state == .inside } }
    watched.sort { $0.place.id < $1.place.id }
    return news
  }

  // MARK: When to look

  private mutating func nextLook(at now: BootInstant, _ date: UTCInstant?) -> PlaceReach.Look? {
    guard let last, let window, !watched.isEmpty else { return nil }
    let seen = last.location.speed ?? 0
    let reach = PlaceReach(
      speed: min(max(seen * Self.acceleration, Self.leastSpeed), Self.mostSpeed))
    let isResting = restingSince != nil
    let near = reach.look(
      after: last.location, at: last.at, isResting: isResting,
      among: nearCandidates(from: last.location, at: now, date))
    // Beyond the window there may be a place right behind its edge.
    let edge = max(window.depth(of: last.location.position) - last.location.accuracy, 0)
    let pause = max(edge / reach.speed, reach.leastPause)
    let end = PlaceReach.Look(
      at: last.at + (isResting ? max(pause, reach.restPause) : pause),
      accuracy: Self.edgeAccuracy, distance: edge, index: nil)
    let looks = [near, end, firstBeginning(reach, at: now, date)].compactMap { $0 }
    var first = looks.min { $0.at < $1.at }
    // The number is that of a list that nobody sees.
    first?.index = nil
    return first
  }

  /// When the first place begins that the board could be in by then.
  private mutating func firstBeginning(
    _ reach: PlaceReach, at now: BootInstant, _ date: UTCInstant?
  ) -> PlaceReach.Look? {
    guard let last, let date else { return nil }
    var first: PlaceReach.Look?
    for index in watched.indices {
      guard let from = watched[index].place.lifetime.from, from > date else { continue }
      let begins = now + (from - date)
      guard begins < first?.at ?? BootInstant(nanoseconds: .max) else { continue }
      let distance = watched[index].distance(from: last.location)
      guard distance - last.location.accuracy <= reach.speed * (begins - last.at) else { continue }
      first = PlaceReach.Look(
        at: begins, accuracy: Self.edgeAccuracy, distance: distance, index: nil)
    }
    return first
  }

  /// The nearest places, and those that come by themselves.
  private mutating func nearCandidates(
    from location: Location, at now: BootInstant, _ date: UTCInstant?
  ) -> [PlaceReach.Candidate] {
    var order = watched.indices.filter { exists(watched[$0].place, date) }
      .map { (distance: watched[$0].distanceAtLeast, index: $0) }
    order.sort { ($1.distance, $1.index) < ($0.distance, $0.index) }
    var chosen: [(distance: Metres, index: Int)] = []
    // What is near at least may be far: measured until nothing nearer can come.
    while let next = order.last {
      if chosen.count >= Self.nearest, chosen[Self.nearest - 1].distance <= next.distance { break }
      order.removeLast()
      chosen.append((watched[next.index].distance(from: location), next.index))
      chosen.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
    }
    let moving = watched.indices.filter { watched[$0].speed(at: now) > 0 }
    let indices = chosen.prefix(Self.nearest).map(\.index) + moving
    return indices.compactMap { watched[$0].candidate(at: now) }
  }
}

extension Place {
  /// The one that it goes with.
  fileprivate var device: String? {
    if case .following(let device) = details.location { device.name } else { nil }
  }
}
