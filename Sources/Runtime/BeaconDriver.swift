import RadioSignals
import Core
import Places
import Ports
import Records
import Tracking

/// Connects the beacon radio with the places, the tracker and the status commands.
///
/// A board that receives a place's beacon is at that place: the place engine is notified, and the
/// tracker receives a coarse location where the nearest beacon is installed. The radio listens only
/// where a beacon could be: within reach of the last known location.
public final class BeaconDriver: Endpoint {
  /// The source name of the coarse locations.
  private static let source = "beacon"
  /// The maximum number of places with beacons.
  private static let mostPlaces = 1000
  /// How far from its place a beacon is expected: the board may have moved this far since it was
  /// located, and significant changes are of that size (Stylianou, section 2.2).
  private static let reach: Metres = 500
  /// How long detailed listening goes on after one request.
  private static let attention: Seconds = 10
  /// After the last movement felt, a beacon that was left is still received now and then for so
  /// long: a motion sensor is masked for some seconds after it has triggered, and a short walk
  /// triggers it only once.
  private static let arrival: Seconds = 30
  /// The maximum number of radio events handled at once.
  private static let maxBatch = 64

  public let kind = "beacons"
  public let fruitlessLimit = 20

  private let radio: any BeaconRadioPort
  private unowned let places: PlaceDriver
  private let log: LogChannel
  private var station: BeaconController
  private var recentBeacons = RecentBeacons()
  private var known: [Known] = []
  /// The read-out of the places that `known` was made from; nil: none.
  private var reading: Int?
  private var locations: Int?
  private var restingSince: BootInstant?
  private var wake: BootInstant?
  private var watchedUntil: BootInstant?
  /// Places of which a beacon is received.
  private var receivedPlaces: Set<PlaceID> = []
  /// Why the radio cannot listen; nil while it can.
  private(set) var failure: String?
  /// The same, if it has to be fixed now: whether a radio that is not needed would work is unknown.
  var fault: String? { station.isListening ? failure : nil }
  private(set) var restarts = 0

  /// A place, with its perimeter prepared for queries.
  private struct Known {
    /// Without the corners of its perimeter.
    let place: Place
    /// Nil: the place moves with a device, and may be anywhere.
    let region: PlaceRegion?

    /// - Parameter place: with the full perimeter.
    init(_ place: Place) {
      self.place = place.undrawn()
      region = place.region()
    }
  }

  init(
    _ radio: any BeaconRadioPort, _ settings: BeaconSettings, _ places: PlaceDriver,
    log: LogChannel
  ) {
    self.radio = radio
    self.places = places
    self.log = log
    station = BeaconController(settings)
  }

  public var interest: Interest? { radio.interest }
  public var due: BootInstant? {
    BootInstant.earlier(radio.due, .earlier(wake, watchedUntil))
  }

  // MARK: What is known

  /// How many places have beacons.
  var placeCount: Int { known.count }
  var method: BeaconMethod? { radio.method }
  var isListening: Bool { station.isListening }
  var listened: Seconds { radio.listened }

  /// The places whose beacons are received.
  var inside: [Place] { known.map(\.place).filter { receivedPlaces.contains($0.id) } }

  /// The place of the nearest beacon received.
  public var nearest: Place? { station.nearest.flatMap { known(of: $0).first?.place } }

  func proximity(at place: Place) -> Proximity {
    let classes = Set(place.beacons.map { station.proximity(of: $0) })
    return Proximity.allCases.first { classes.contains($0) } ?? .unknown
  }

  private func known(of region: BeaconRegion) -> [Known] {
    known.filter { $0.place.beacons.contains(region) }
  }

  // MARK: What happens

  /// Called after the tracker and the place engine have handled an event.
  func follow(_ sighting: Sighting, at now: BootInstant) -> [Input] {
    var inputs: [Input] = []
    var isNews = false
    if places.readings != reading, let found = read(at: now) {
      isNews = true
      inputs += found
    }
    if sighting.locations != locations {
      locations = sighting.locations
      isNews = true
    }
    let restingSince = Self.rest(sighting)
    if restingSince != self.restingSince || isNews {
      self.restingSince = restingSince
      inputs += step(
        .resting(since: isFixed ? restingSince : nil, isFelt: isFixed && sighting.isMotionSensed),
        at: now)
    }
    if isNews { inputs += step(.expected(isExpected(from: sighting.location)), at: now) }
    return inputs
  }

  /// Since when no movement was felt that could be a step into the next room; nil: the board is not
  /// known to rest, or no sensor would report a movement.
  private static func rest(_ sighting: Sighting) -> BootInstant? {
    guard sighting.isMonitored, case .resting(let since) = sighting.rest else { return nil }
    // The first movement of a departure is felt ten seconds before the departure is certain, while
    // the beacon that is left can still be received.
    let stirred = sighting.isMotionSensed ? sighting.lastMotionEdge : nil
    return max(since, sighting.lastTrigger ?? since, stirred ?? since)
  }

  /// Whether all beacons are stationary: one that moves with a device may come to a resting board.
  private var isFixed: Bool {
    known.allSatisfy { $0.region != nil }
  }

  private func read(at now: BootInstant) -> [Input]? {
    guard places.readings > 0,
      let found = places.placesWithBeacons(atMost: Self.mostPlaces, at: now)
    else { return nil }
    reading = places.readings
    let before = known.map(\.place)
    known = found.map(Known.init)
    var regions: [BeaconRegion] = []
    var isKnown: Set<BeaconRegion> = []
    for region in found.flatMap(\.beacons) where isKnown.insert(region).inserted {
      regions.append(region)
    }
    return step(.wanted(regions), at: now) + compare(with: before, at: now)
  }

  /// An edit while the board is there is neither an entry nor an exit by beacon: a place may have
  /// other beacons now, those of another place, or none.
  private func compare(with before: [Place], at now: BootInstant) -> [Input] {
    let kept = Set(known.map(\.place.id))
    let gone = before.filter { !kept.contains($0.id) }
    return updatePlaces(
      known.map(\.place), hearing: Set(station.inside), lastReception: now, at: now)
      + updatePlaces(gone, hearing: [], lastReception: now, at: now)
  }

  /// While the location is unknown, a beacon may be what provides it.
  private func isExpected(from location: Location?) -> Bool {
    guard let location else { return true }
    return known.contains { one in
      guard let region = one.region else { return true }
      return region.signedDistance(from: location.position) - location.accuracy <= Self.reach
    }
  }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    var served = Served(isFruitful: false)
    if isReady || radio.due.map({ now >= $0 }) ?? false {
      let before = radio.readCount
      for _ in 0..<Self.maxBatch {
        do throws(PortError) {
          guard let news = try radio.next() else { break }
          served.isFruitful = true
          served.inputs += handle(news, at: now)
        } catch {
          served.isFruitful = true
          failed(error, at: now)
        }
      }
      if radio.readCount != before { served.isFruitful = true }
    }
    if let watchedUntil, now >= watchedUntil {
      self.watchedUntil = nil
      recentBeacons.forget()
      served.inputs += step(.watched(false), at: now)
      served.isFruitful = true
    }
    if let wake, now >= wake {
      served.inputs += step(.timePassed, at: now)
      served.isFruitful = true
    }
    return served
  }

  private func handle(_ news: BeaconRadioEvent, at now: BootInstant) -> [Input] {
    switch news {
    case .received(let frame, let strength), .found(let frame, let strength):
      if watchedUntil != nil { recentBeacons.received(frame, strength, at: now) }
      recovered(at: now)
    case .listening(true): recovered(at: now)
    default: break
    }
    return step(.radio(news), at: now)
  }

  private func recovered(at now: BootInstant) {
    guard failure != nil else { return }
    log.write("beacons-heard", "beacon reception works again", at: now)
    failure = nil
  }

  private func failed(_ error: PortError, at now: BootInstant) {
    guard error.message != failure else { return }
    failure = error.message
    log.write("beacons-unheard", error.message, level: .warning, at: now)
  }

  /// Listens in detail for some seconds, for `godwit near`.
  /// - Returns: what is received, the nearest first.
  func listen(at now: BootInstant) -> (heard: [RecentBeacons.One], inputs: [Input]) {
    watchedUntil = now + Self.attention
    let inputs = step(.watched(true), at: now)
    return (recentBeacons.all(at: now), inputs)
  }

  /// The places that a beacon belongs to.
  func places(of beacon: BeaconIdentity) -> [Place] {
    known.map(\.place).filter { $0.beacons.contains { $0.contains(beacon) } }
  }

  // MARK: Effects

  private func step(_ event: BeaconStationEvent, at now: BootInstant) -> [Input] {
    var inputs: [Input] = []
    for effect in station.step(event, at: now) { inputs += perform(effect, at: now) }
    return inputs
  }

  private func perform(_ effect: BeaconStationEffect, at now: BootInstant) -> [Input] {
    switch effect {
    case .entered(let region, _): return changed(region, lastReception: now, at: now)
    case .left(let region, let lastReception):
      return changed(region, lastReception: lastReception, at: now)
    case .nearest(let region):
      return region.flatMap { known(of: $0).first }.map { located(at: $0, now) } ?? []
    case .proximity: break
    case .listen(let regions): radio.listen(for: regions)
    case .scan(let isOn): radio.scan(isOn)
    case .restart(let silence):
      restarts += 1
      log.write(
        "beacons-silent",
        "the radio has received nothing for \(silence.inWords): it is switched off and on",
        level: .warning, at: now)
      radio.restart()
    case .recovered: log.write("beacons-heard", "the radio receives again", at: now)
    case .wake(let instant): wake = instant
    }
    return []
  }

  /// A region was entered or left; this may change the state of its places.
  private func changed(
    _ region: BeaconRegion, lastReception: BootInstant, at now: BootInstant
  ) -> [Input] {
    updatePlaces(
      known(of: region).map(\.place), hearing: Set(station.inside), lastReception: lastReception,
      at: now)
  }

  /// Reports each place whose beacons are received now and were not before, or vice versa.
  /// - Parameter inside: the regions that the board is in.
  private func updatePlaces(
    _ changed: [Place], hearing inside: Set<BeaconRegion>, lastReception: BootInstant,
    at now: BootInstant
  ) -> [Input] {
    var inputs: [Input] = []
    for place in changed {
      let isReceived = place.beacons.contains { inside.contains($0) }
      guard isReceived != receivedPlaces.contains(place.id) else { continue }
      if isReceived { receivedPlaces.insert(place.id) } else { receivedPlaces.remove(place.id) }
      inputs += places.beacon(
        of: place,
        BeaconReception(
          isReceived: isReceived, lastReception: lastReception,
          isOnTheWay: restingSince.map { lastReception - $0 < Self.arrival } ?? true), at: now)
    }
    return inputs
  }

  /// The nearest beacon locates the board, about as precisely as its place is large.
  private func located(at one: Known, _ now: BootInstant) -> [Input] {
    guard case .fixed(let position) = one.place.location, let region = one.region else { return [] }
    let observation = CoarseObservation(
      received: now, time: nil, position: position,
      accuracy: max(region.size, Self.nearby), source: Self.source)
    return [.tracker(.coarse(observation, from: Self.source))]
  }

  /// Signal strength locates no beacon more precisely.
  private static let nearby: Metres = 10
}
