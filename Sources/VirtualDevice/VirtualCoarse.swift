import Core
import Ports
import Records

/// How the virtual coarse source behaves.
public struct VirtualCoarseSettings: Sendable {
  public enum Delivery: String, Sendable, CaseIterable {
    /// Like a phone's significant-location service: a pending `scan` is answered when the board has
    /// moved 500 m since the last answer, or when 300 s have passed since and the source receives
    /// something different.
    case significantChange
    /// Like a Wi-Fi scan: every `scan` is answered after a moment.
    case onRequest
  }

  var delivery: Delivery
  var interval: Seconds
  var distance: Metres
  /// From the request, or its trigger, to the answer.
  var latency: Seconds
  /// Distance between cell towers: about 600 m in a town, some kilometres in the country.
  var cellSpacing: Metres
  /// Probability that an answer is far off, for example because an access point has been moved.
  var wrongAnswers: Double
  /// Probability that the source has no answer.
  var emptyAnswers: Double

  public init(
    delivery: Delivery = .significantChange, interval: Seconds = 300, distance: Metres = 500,
    latency: Seconds = 3, cellSpacing: Metres = 800, wrongAnswers: Double = 0.01,
    emptyAnswers: Double = 0.02
  ) {
    self.delivery = delivery
    self.interval = interval
    self.distance = distance
    self.latency = latency
    self.cellSpacing = cellSpacing
    self.wrongAnswers = wrongAnswers
    self.emptyAnswers = emptyAnswers
  }
}

/// Wi-Fi where the board is on a known access point, cell towers elsewhere.
public final class VirtualCoarse: EvidencePort {
  public let name = "virtual coarse source"
  public var interest: Interest? { nil }
  public var delivery: CoarseDelivery? { .significantChanges }
  private(set) var answers = 0

  /// How often it checks for a significant change.
  static let checkInterval: Seconds = 10

  private let settings: VirtualCoarseSettings
  private let clock: VirtualClock
  private let groundTruth: any GroundTruth
  private var random: SeededRandom
  private let towers: CellTowers

  /// The next check while a scan is outstanding.
  private var nextCheck: BootInstant?
  private var ready: CoarseObservation?
  private var last: (at: BootInstant, truth: Coordinate, seen: Seen)?

  /// The source's input, before the look-up.
  private enum Seen: Hashable {
    case accessPoint(AccessPoint)
    case tower(Coordinate)
  }

  init(
    settings: VirtualCoarseSettings, clock: VirtualClock, groundTruth: any GroundTruth,
    random: SeededRandom
  ) {
    self.settings = settings
    self.clock = clock
    self.groundTruth = groundTruth
    self.random = random
    towers = CellTowers(spacing: settings.cellSpacing)
  }

  public func request() throws(PortError) {
    guard nextCheck == nil else { return }
    nextCheck = clock.now + settings.latency
  }

  public func poll() throws(PortError) -> Evidence? {
    defer { ready = nil }
    return ready.map { .location($0) }
  }

  var nextEvent: BootInstant? { nextCheck }

  func advance(to now: BootInstant) {
    guard let check = nextCheck, check <= now else { return }
    nextCheck = now + Self.checkInterval
    let time = clock.time(at: now)
    guard let truth = groundTruth.state(at: time) else { return }
    let seen: Seen
    if let accessPoint = groundTruth.accessPoint(at: time) {
      seen = .accessPoint(accessPoint)
    } else {
      seen = .tower(towers.serving(truth.position, random: &random))
    }
    guard isDue(truth.position, seen, at: now) else { return }
    last = (now, truth.position, seen)
    nextCheck = nil
    answers += 1
    ready = observation(seen, near: truth.position, at: now, time: time)
  }

  private func isDue(_ position: Coordinate, _ seen: Seen, at now: BootInstant) -> Bool {
    guard settings.delivery == .significantChange, let last else { return true }
    if Sphere.distance(position, last.truth) >= settings.distance { return true }
    return now - last.at >= settings.interval && seen != last.seen
  }

  private func observation(
    _ seen: Seen, near truth: Coordinate, at now: BootInstant, time: UTCInstant
  ) -> CoarseObservation {
    guard !random.chance(settings.emptyAnswers) else {
      return CoarseObservation(
        received: now, time: time, position: nil, accuracy: nil, source: "virtual")
    }
    var name: String?
    var position: Coordinate
    var accuracy: Metres
    switch seen {
    case .accessPoint(let accessPoint):
      name = accessPoint.name
      accuracy = Metres(random.uniform(in: 20...80))
      position = away(from: accessPoint.position, typically: accuracy * 0.6)
    case .tower(let tower):
      position = tower
      accuracy = settings.cellSpacing * random.uniform(in: 0.6...1.2)
    }
    if random.chance(settings.wrongAnswers) {
      position = away(from: truth, typically: Metres(random.uniform(in: 2000...20_000)))
    }
    return CoarseObservation(
      received: now, time: time, position: position, accuracy: accuracy, accessPoint: name,
      source: "virtual")
  }

  private func away(from position: Coordinate, typically distance: Metres) -> Coordinate {
    LocalPlane(origin: position).coordinate(
      .init(east: distance * random.gaussian(), north: distance * random.gaussian()))
  }
}

/// Cell towers on a loose grid over the whole Earth: the same position is always served by the same
/// few towers, and a tower's published position is what a cell look-up answers.
struct CellTowers {
  let spacing: Metres

  func serving(_ position: Coordinate, random: inout SeededRandom) -> Coordinate {
    let step = spacing / Sphere.degree
    // Fading occasionally causes a handover to a neighbouring tower.
    let north = position.latitude.value / step + 0.12 * random.gaussian()
    let east = position.longitude.value / step + 0.12 * random.gaussian()
    let row = north.rounded(.down)
    let column = east.rounded(.down)
    var spot = SeededRandom(
      seed: UInt64(bitPattern: Int64(row)) &* 0x1_0000_0001 ^ UInt64(bitPattern: Int64(column)))
    let latitude = (row + spot.uniform(in: 0.2...0.8)) * step
    let longitude = (column + spot.uniform(in: 0.2...0.8)) * step
    return Coordinate(
      latitude: Degrees(max(-90, min(90, latitude))),
      longitude: Degrees(max(-180, min(180, longitude))))
  }
}
