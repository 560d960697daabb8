import Geodesy
import Quantities

/// Finds stays in sightings, online and in one pass, with bounded memory.
///
/// Looking back from the newest glimpse: for how long has the carrier been within a radius of the
/// mean of what was seen? Silence is no evidence of leaving: whoever is found again where he was last
/// seen has stayed, however long the gap. Once a stay is certain it ends only when the carrier was
/// seen elsewhere for longer than an excursion takes.
public struct VisitDetector: Sendable {
  static let mostGlimpses = 64
  /// A plane is good for this distance from its origin; beyond, a new one is laid.
  static let planeReach = 5000.0

  struct Stay: Hashable, Sendable {
    var id: Int64
    var first: Double
    var last: Double
    /// Latest glimpse before `first`, or nil when the stay is where the data begin.
    var before: Double?
    var east: Double
    var north: Double
    var weight: Double
    var accuracy: Double
    var sightings: Int
  }

  let settings: DwellSettings
  var nextID: Int64
  var plane: LocalPlane?
  var epoch = UTCInstant(nanoseconds: 0)
  var current: Glimpse?
  /// Oldest first.
  var glimpses: [Glimpse] = []
  var stay: Stay?
  /// When the carrier was first and how often it was since then seen away from the stay.
  var awaySince: Double?
  var awayGlimpses = 0

  public init(_ settings: DwellSettings, nextID: Int64) {
    self.settings = settings
    self.nextID = nextID
  }

  public mutating func take(_ sighting: Sighting) -> [VisitChange] {
    let point = located(sighting)
    guard let open = current else {
      current = point
      return []
    }
    guard point.first >= open.last else { return [] }
    if point.first - open.first < settings.glimpse.value {
      current?.add(point)
      return []
    }
    current = point
    return close(open)
  }

  /// The end of the data: the glimpse that is still open counts.
  public mutating func finish() -> [VisitChange] {
    guard let open = current else { return [] }
    current = nil
    return close(open)
  }

  public var openVisit: Visit? { stay.map { visit($0, departure: nil) } }

  // MARK: - Places and times

  private mutating func located(_ sighting: Sighting) -> Glimpse {
    if plane == nil {
      plane = LocalPlane(origin: sighting.place)
      epoch = sighting.time
    }
    var point = plane!.point(sighting.place)
    if max(point.east.magnitude, point.north.magnitude).value > Self.planeReach {
      layPlane(at: sighting.place)
      point = plane!.point(sighting.place)
    }
    let time = (sighting.time - epoch).value
    return Glimpse(
      first: time, last: time, east: point.east.value, north: point.north.value,
      accuracy: max(sighting.accuracy.value, 1), sightings: 1)
  }

  private mutating func layPlane(at origin: Coordinate) {
    guard let old = plane else { return }
    let new = LocalPlane(origin: origin)
    func moved(_ x: Double, _ y: Double) -> (Double, Double) {
      let p = new.point(old.coordinate(.init(east: Metres(x), north: Metres(y))))
      return (p.east.value, p.north.value)
    }
    for index in glimpses.indices {
      (glimpses[index].east, glimpses[index].north) =
        moved(glimpses[index].east, glimpses[index].north)
    }
    if let open = current { (current!.east, current!.north) = moved(open.east, open.north) }
    if let open = stay { (stay!.east, stay!.north) = moved(open.east, open.north) }
    plane = new
  }

  private func instant(_ time: Double) -> UTCInstant { epoch + Seconds(time) }

  // MARK: - Stays

  private mutating func close(_ glimpse: Glimpse) -> [VisitChange] {
    glimpses.append(glimpse)
    if glimpses.count > Self.mostGlimpses { glimpses.removeFirst() }
    guard stay != nil else { return lookForStay() }
    return follow(glimpse)
  }

  private func reach(_ glimpse: Glimpse) -> Double {
    settings.radius.value + min(glimpse.accuracy, 100)
  }

  private mutating func follow(_ glimpse: Glimpse) -> [VisitChange] {
    guard var open = stay else { return [] }
    let limit = reach(glimpse)
    if glimpse.squaredDistance(east: open.east, north: open.north) <= limit * limit {
      awaySince = nil
      awayGlimpses = 0
      open.last = glimpse.last
      open.sightings += glimpse.sightings
      open.weight = min(open.weight + 1, 60)
      open.east += (glimpse.east - open.east) / open.weight
      open.north += (glimpse.north - open.north) / open.weight
      open.accuracy = min(open.accuracy, glimpse.accuracy)
      stay = open
      return []
    }
    let since = awaySince ?? glimpse.first
    awaySince = since
    awayGlimpses += 1
    guard awayGlimpses >= 2, glimpse.last - since >= settings.longestExcursion.value else {
      return []
    }
    let ended = visit(open, departure: departure(from: open, seenAway: since))
    stay = nil
    awaySince = nil
    awayGlimpses = 0
    return [.ended(ended)] + lookForStay()
  }

  private func departure(from open: Stay, seenAway: Double) -> TimeEstimate {
    TimeEstimate(
      estimate: instant(open.last), earliest: instant(open.last), latest: instant(seenAway))
  }

  private mutating func lookForStay() -> [VisitChange] {
    guard let newest = glimpses.last else { return [] }
    var east = newest.east
    var north = newest.north
    var count = 1.0
    var sightings = newest.sightings
    var accuracy = newest.accuracy
    var first = glimpses.count - 1
    var outliers = 0
    for index in glimpses.indices.dropLast().reversed() {
      let glimpse = glimpses[index]
      let limit = settings.radius.value + min(glimpse.accuracy, 100) / 2
      if glimpse.squaredDistance(east: east, north: north) > limit * limit {
        outliers += 1
        if outliers > 1 { break }
        continue
      }
      outliers = 0
      first = index
      count += 1
      sightings += glimpse.sightings
      accuracy = min(accuracy, glimpse.accuracy)
      east += (glimpse.east - east) / count
      north += (glimpse.north - north) / count
    }
    guard newest.last - glimpses[first].first >= settings.shortestStay.value else { return [] }
    let found = Stay(
      id: nextID, first: glimpses[first].first, last: newest.last,
      before: first > 0 ? glimpses[first - 1].last : nil, east: east, north: north, weight: count,
      accuracy: accuracy, sightings: sightings)
    nextID += 1
    stay = found
    return [.began(visit(found, departure: nil))]
  }

  private func visit(_ stay: Stay, departure: TimeEstimate?) -> Visit {
    let arrival = instant(stay.first)
    return Visit(
      id: stay.id,
      arrival: TimeEstimate(
        estimate: arrival, earliest: stay.before.map(instant) ?? arrival, latest: arrival),
      departure: departure,
      place: plane!.coordinate(.init(east: Metres(stay.east), north: Metres(stay.north))),
      accuracy: Metres(max(3, stay.accuracy / max(1, stay.weight).squareRoot())),
      confidence: min(1, stay.weight / 10), sightings: stay.sightings)
  }
}
