import Geodesy
import Quantities
import Records

/// What can happen to the places around the board.
public enum PlaceEvent: Sendable {
  /// Something that tells where the board is, or whether it moves.
  case presence(PresenceEvent)
  /// What was asked for: the places within a box, and those that go with a device.
  /// - isCut: whether there are more than so many.
  case found([Place], isCut: Bool)
  /// Somebody has edited places.
  case edited
  /// A tracked device has told where it is.
  case device(String, at: Coordinate)
}

/// What is to be done about them.
public enum PlaceEffect: Hashable, Sendable {
  /// Answer with `PlaceEvent.found`.
  case find(near: GeographicBox, atMost: Int)
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
  private var last: (location: Location, at: BootInstant)?
  private var isResting = false
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
    case .found(let places, let isCut): found(places, isCut, at: now, date, &effects)
    case .edited: ask(asked ?? window, &effects)
    case .device(let name, let position): moved(name, to: position, at: now)
    }
    let next = nextLook(date)
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
    case .resting: isResting = true
    case .moving: isResting = false
    }
    for index in watched.indices { watched[index].heard(event, at: now) }
  }

  private mutating func moved(_ name: String, to position: Coordinate, at now: BootInstant) {
    guard let speed = devices.heard(name, at: position, now) else { return }
    for index in watched.indices where watched[index].place.device == name {
      watched[index].moved(to: position, at: min(speed, Self.mostSpeed))
    }
  }

  private func exists(_ place: Place, _ date: UTCInstant?) -> Bool {
    date.map(place.lifetime.contains) ?? true
  }

  // MARK: Which places

  /// The window goes with the board: it is made anew in its outer half.
  private mutating func keepWindow(around location: Location, _ effects: inout [PlaceEffect]) {
    if let current = asked ?? window,
      current.depth(of: location.position) - location.accuracy > current.radius / 2
    {
      return
    }
    ask(PlaceWindow(around: location.position, radius: window?.radius), &effects)
  }

  private mutating func ask(_ window: PlaceWindow?, _ effects: inout [PlaceEffect]) {
    guard let window else { return }
    asked = window
    effects.append(.find(near: window.box, atMost: PlaceWindow.most))
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
    watch(places, at: now)
    guard let last else { return }
    for index in watched.indices where watched[index].presence?.state == .unknown {
      guard exists(watched[index].place, date) else { continue }
      report(watched[index].located(last.location, at: now), index, &effects)
    }
  }

  private mutating func watch(_ places: [Place], at now: BootInstant) {
    var known = Dictionary(watched.map { ($0.place.id, $0) }) { first, _ in first }
    watched = places.sorted { $0.id < $1.id }.map { place in
      let before = known.removeValue(forKey: place.id)
      if let before, before.place == place { return before }
      let state = before?.presence?.state ?? earlier.removeValue(forKey: place.id)
      let device = place.device.flatMap { devices.report(of: $0) }
      return WatchedPlace(
        place, device: device?.position, speed: min(device?.speed ?? 0, Self.mostSpeed),
        state: state ?? .unknown)
    }
    // A place that the board is in may be found again.
    for (id, one) in known where one.presence?.state == .inside { earlier[id] = .inside }
  }

  // MARK: When to look

  private mutating func nextLook(_ date: UTCInstant?) -> PlaceReach.Look? {
    guard let last, let window, !watched.isEmpty else { return nil }
    let seen = last.location.speed ?? 0
    let reach = PlaceReach(
      speed: min(max(seen * Self.acceleration, Self.leastSpeed), Self.mostSpeed))
    let first = reach.look(
      after: last.location, at: last.at, isResting: isResting,
      among: nearCandidates(from: last.location, date))
    // Beyond the window there may be a place right behind its edge.
    let edge = max(window.depth(of: last.location.position) - last.location.accuracy, 0)
    let pause = max(edge / reach.speed, reach.leastPause)
    let end = last.at + (isResting ? max(pause, reach.restPause) : pause)
    if var first, first.at <= end {
      // The number is that of a list that nobody sees.
      first.index = nil
      return first
    }
    return PlaceReach.Look(at: end, accuracy: Self.edgeAccuracy, distance: edge, index: nil)
  }

  /// The nearest places, and those that come by themselves.
  private mutating func nearCandidates(
    from location: Location, _ date: UTCInstant?
  ) -> [PlaceReach.Candidate] {
    var order = watched.indices.filter { exists(watched[$0].place, date) }
      .map { (distance: watched[$0].distanceAtLeast, index: $0) }
      .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
    var chosen: [(distance: Metres, index: Int)] = []
    // What is near at least may be far: measured until nothing nearer can come.
    while !order.isEmpty,
      chosen.count < Self.nearest || chosen[chosen.count - 1].distance > order[0].distance
    {
      let next = order.removeFirst()
      chosen.append((watched[next.index].distance(from: location), next.index))
      chosen.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
    }
    let moving = watched.indices.filter { watched[$0].speed > 0 }
    return (chosen.prefix(Self.nearest).map(\.index) + moving).compactMap { watched[$0].candidate }
  }
}

/// Where tracked devices were last.
struct DeviceReports: Sendable {
  typealias Report = (position: Coordinate, at: BootInstant, speed: MetresPerSecond)

  /// Of more devices nobody keeps anything: names come from outside.
  private static let most = 1000

  private var reports: [String: Report] = [:]

  func report(of name: String) -> Report? { reports[name] }

  /// - Returns: how fast it has come there; nil where the report was not taken.
  mutating func heard(
    _ name: String, at position: Coordinate, _ now: BootInstant
  ) -> MetresPerSecond? {
    guard reports[name] != nil || reports.count < Self.most else { return nil }
    var speed: MetresPerSecond = 0
    if let before = reports[name], now > before.at {
      speed = Sphere.distance(before.position, position) / (now - before.at)
    }
    reports[name] = (position, now, speed)
    return speed
  }
}

extension Place {
  /// The one that it goes with.
  fileprivate var device: String? {
    if case .following(let device) = details.location { device.name } else { nil }
  }
}
