import Geodesy
import Quantities
import Records

/// What the board was found out to do, for those that record it.
enum RestNews: Hashable, Sendable {
  /// It came to rest then, no farther than that from where it was located last.
  case arrived(BootInstant, within: Metres)
  /// It has not moved until then since it came, or was located, last.
  case rested(until: BootInstant)
  /// It had not rested at all: it was found farther away than it can have come since.
  case doubted
}

/// A rest of which everything is known but its place.
struct UnlocatedRest: Hashable, Sendable {
  var since: BootInstant
  /// Until when it is known to have lasted; nil: until now.
  var until: BootInstant?
  /// How far from there the next location may be.
  var radius: Metres = 0
}

/// Still here, under way, or unknown: what the board is believed to do, from everything that was
/// seen, heard and felt.
///
/// A location elsewhere proves that it moved, and locations in one place for a while that it rests.
/// Between these, and where no sky is, other evidence decides: a motion sensor that has proved
/// itself, the network that it is joined to, and the sky, which stays dark as long as the board
/// stays behind the same walls.
public struct RestBelief: Sendable {
  public enum State: Hashable, Sendable {
    case unknown
    case resting(since: BootInstant)
    case moving(since: BootInstant)
  }

  /// A dark sky is a tunnel at first. Three minutes are 5 km of railway at 30 m/s.
  private static let tunnel: Seconds = 180
  /// Who was as fast as a train sits behind its metal for longer.
  private static let ride: Seconds = 480
  private static let train: MetresPerSecond = 15
  /// How fast anybody may have gone on from a place at which nothing watched.
  private static let onward: MetresPerSecond = 8
  /// A receiver that is left on looks every second: so often is often enough.
  private static let lookGap: Seconds = 20
  /// Locations in one place for so long are rest: traffic lights and most halts are shorter.
  private static let halt: Seconds = 150
  /// What a board at rest may be seen to wander, beyond the errors of its locations.
  private static let wander: Metres = 40
  /// What a coarse source knows no better tells nothing of rest or movement.
  private static let district: Metres = 150
  /// Where the speed is below this, two locations near each other mean rest.
  private static let walking: MetresPerSecond = 0.7

  public private(set) var state = State.unknown
  /// When something has last happened that calls for a look.
  public private(set) var suspicion: BootInstant?
  /// Since when nothing has been heard of the sky, at a place that is not known for that.
  public private(set) var darkSince: BootInstant?
  /// Whether the board was located since it came to rest.
  public private(set) var isLocatedAtRest = false
  /// How fast it was lately, while it moved.
  public private(set) var speed: MetresPerSecond = 0

  private var motion: MotionWatch?
  private var network: NetworkWatch?
  private let dwell: Seconds

  /// Where it was located last.
  private var last: (location: Location, at: BootInstant)?
  /// Where it has been located for some time, or since it came to rest.
  private var spot: (location: Location, since: BootInstant)?
  /// The last moment at which nothing spoke against rest.
  private var restedUntil: BootInstant?
  /// Without a location.
  private var lastLook: BootInstant?
  /// Looks since it came to rest: those that gave a location, and those that found no sky.
  private var fixesAtRest = 0
  private var darkLooksAtRest = 0
  private var news: [RestNews] = []
  private var isArrivalTold = false

  /// - Parameters:
  ///   - sources: the names of what gives evidence.
  ///   - dwell: the shortest stay that counts.
  init(sources: [String], dwell: Seconds) {
    motion = sources.contains("motion") ? MotionWatch() : nil
    network = sources.contains("network") ? NetworkWatch() : nil
    self.dwell = dwell
  }

  // MARK: What is known

  public var isResting: Bool { if case .resting = state { true } else { false } }

  /// Whether something would tell of a departure.
  public var isWatched: Bool { isMotionTrusted || (network?.isTrusted ?? false) }

  private var isMotionTrusted: Bool { motion?.isTrusted ?? false }

  /// When the belief changes by itself, or something has to be told; nil: not by itself.
  func due(after now: BootInstant) -> BootInstant? {
    switch state {
    case .moving: isMotionTrusted ? motion?.quietAt(after: now) : nil
    case .resting(let since):
      isWatched && (restedUntil ?? since) - since < dwell * 1.1 ? since + dwell * 1.2 : nil
    case .unknown: nil
    }
  }

  /// What was found out since it was last asked.
  mutating func takeNews() -> [RestNews] {
    defer { news = [] }
    return news
  }

  /// The rest that goes on, when it is not known where: the next location tells it.
  func unlocatedRest(at now: BootInstant) -> UnlocatedRest? {
    guard case .resting(let since) = state, !isArrivalTold else { return nil }
    guard last == nil, let restedUntil else { return UnlocatedRest(since: since) }
    // Nobody knows how fast it was on its way from there to where it is found first.
    return UnlocatedRest(
      since: since, until: restedUntil,
      radius: min(2000, MetresPerSecond(Self.unknownSpeed) * (now - restedUntil)))
  }

  private static let unknownSpeed = 1.5

  // MARK: Evidence

  mutating func heard(_ evidence: Evidence, at now: BootInstant) {
    switch evidence {
    case .motion:
      guard let began = motion?.edge(at: now) else { return }
      if isMotionTrusted || !isResting {
        move(since: began, at: now)
      } else if motion?.takeCredit() == true {
        suspicion = now
      }
    case .network(let name):
      let wasTrusted = network?.isTrusted ?? false
      network?.joined(name, at: now)
      if name == nil, wasTrusted { suspicion = now }
      if name != nil, network?.isTrusted ?? false, !isResting { suspicion = now }
    case .ignition:
      // A motor that idles goes nowhere, and a motion sensor knows.
      if !isMotionTrusted { suspicion = now }
    case .accessPoints, .cell: break
    }
  }

  /// A source of that name has failed.
  mutating func lost(_ source: String) {
    if source == "motion" { motion?.lost() }
  }

  mutating func timePassed(at now: BootInstant) {
    switch state {
    case .moving:
      guard isMotionTrusted, let motion, motion.movesSince(at: now) == nil,
        let lastEdge = motion.lastEdge, now - lastEdge >= MotionWatch.quiet
      else { return }
      rest(since: lastEdge)
    case .resting(let since):
      if isWatched, now - since >= dwell { stillHere(at: now) }
    case .unknown: break
    }
  }

  // MARK: Locations

  /// - Parameter now: when it was taken.
  mutating func located(_ location: Location, at now: BootInstant) {
    guard location.source == .gnss || location.accuracy <= Self.district else { return }
    defer {
      last = (location, now)
      darkSince = nil
    }
    network?.located(at: location.position, accuracy: location.accuracy)
    doubtRest(location, at: now)
    noteSpeed(location, at: now)
    guard let spot else {
      self.spot = (location, now)
      if isRiding(location) { move(since: nil, at: now) }
      return
    }
    if isElsewhere(location, than: spot.location) || isRiding(location) {
      displaced(to: location, at: now)
    } else {
      stayed(location, at: now)
    }
  }

  /// A rest that was only concluded from a dark sky may have been a ride.
  private mutating func doubtRest(_ location: Location, at now: BootInstant) {
    guard case .resting = state, !isLocatedAtRest, !isWatched, let last, let restedUntil
    else { return }
    let way = Sphere.distance(last.location.position, location.position)
    let possible = max(speed, Self.onward) * (now - restedUntil) + location.accuracy
    guard way > possible + last.location.accuracy else { return }
    news.append(.doubted)
    state = .moving(since: now)
  }

  /// At a speed that no receiver makes of noise.
  private func isRiding(_ location: Location) -> Bool {
    (location.speed ?? 0) >= 2.5 && location.accuracy <= 20
  }

  private func isElsewhere(_ location: Location, than spot: Location) -> Bool {
    let distance = Sphere.distance(location.position, spot.position)
    return distance > Self.wander + (location.accuracy + spot.accuracy) * 1.5
  }

  private mutating func displaced(to location: Location, at now: BootInstant) {
    if let last { motion?.displaced(since: last.at, until: now) }
    spot = (location, now)
    if case .moving = state { return }
    move(since: nil, at: now)
  }

  private mutating func stayed(_ location: Location, at now: BootInstant) {
    motion?.notDisplaced(at: now)
    switch state {
    case .resting:
      isArrivalTold = true
      isLocatedAtRest = true
      fixesAtRest += 1
      restedUntil = now
      if let known = spot, location.accuracy < known.location.accuracy {
        spot = (location, known.since)
      }
    case .moving, .unknown:
      guard let spot, now - spot.since >= Self.halt else { return }
      if isMotionTrusted, motion?.movesSince(at: now) != nil { return }
      rest(since: spot.since)
      isArrivalTold = true
      isLocatedAtRest = true
      fixesAtRest = 1
      restedUntil = now
    }
  }

  /// What the receiver measures, or what the way from the last location took.
  private mutating func noteSpeed(_ location: Location, at now: BootInstant) {
    let measured = location.speed ?? 0
    var implied = MetresPerSecond(0)
    if let last, now - last.at > 5, now - last.at < 600 {
      implied = Sphere.distance(last.location.position, location.position) / (now - last.at)
    }
    speed = max(max(measured, implied), speed * 0.5)
  }

  // MARK: Looks without a location

  /// A receiver that is left on has no fix any more.
  mutating func heard(_ search: GnssSearch, at now: BootInstant) {
    guard let since = search.darkSince(at: now) else { return }
    looked(search.sky, at: now, since: since)
  }

  /// A look has found no position.
  /// - Parameters:
  ///   - sky: what was heard; nil: the receiver does not tell.
  ///   - begin: since when it has been so.
  mutating func looked(_ sky: SkyQuality?, at now: BootInstant, since begin: BootInstant? = nil) {
    if let lastLook, now - lastLook < Self.lookGap { return }
    lastLook = now
    guard sky != .clear else { return }
    network?.notContradicted()
    switch state {
    case .resting:
      darkLooksAtRest += 1
      // A place where the sky was seen every time, and is gone: the board may be in a van.
      if fixesAtRest > 2, darkLooksAtRest < 3, !isWatched {
        darkSince = darkSince ?? now
        return
      }
      stillHere(at: now)
    case .moving, .unknown:
      let since = darkSince ?? begin ?? now
      darkSince = since
      if isMotionTrusted { return }
      let isJoined = network?.isTrusted ?? false
      let timeout = speed < Self.train ? Self.tunnel : Self.ride
      guard now - since >= timeout || isJoined else { return }
      rest(since: arrival(before: since))
      darkLooksAtRest = 2
      stillHere(at: now)
    }
  }

  /// When the board went out of sight, if it was seen at `last` and no longer at `since`.
  private func arrival(before since: BootInstant) -> BootInstant {
    guard let last else { return since }
    return last.at + (since - last.at) * 0.5
  }

  // MARK: Changes

  private mutating func stillHere(at now: BootInstant) {
    guard case .resting(let since) = state else { return }
    restedUntil = now
    guard last != nil else { return }
    if !isArrivalTold {
      isArrivalTold = true
      news.append(.arrived(since, within: reach(until: since)))
    }
    news.append(.rested(until: now))
  }

  /// How far the board may have come since it was located last.
  private func reach(until instant: BootInstant) -> Metres {
    guard let last else { return 1000 }
    return min(max(30, speed * max(instant - last.at, 0)), 2000)
  }

  private mutating func rest(since: BootInstant) {
    state = .resting(since: since)
    suspicion = nil
    darkSince = nil
    restedUntil = nil
    isArrivalTold = false
    isLocatedAtRest = false
    fixesAtRest = 0
    darkLooksAtRest = 0
  }

  /// - Parameter began: when the movement was felt to begin; nil: it was not.
  private mutating func move(since began: BootInstant?, at now: BootInstant) {
    if case .moving = state { return }
    if case .resting(let since) = state, let began, began > since {
      stillHere(at: began)
    }
    if case .resting = state { speed = 0 }
    state = .moving(since: began ?? now)
    suspicion = now
    darkSince = nil
  }
}
