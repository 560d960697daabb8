import Core
import Records

/// Where and when the board was seen at a standstill at its stay, and in motion before and after
/// it. Times are nanoseconds of UTC.
struct StayPlace: Hashable, Sendable {
  /// The locations at a standstill; nil: there was none.
  private var standstill: StayCentre?
  /// The last location in motion before the board came to rest.
  private var approach: PlanarLocation?
  /// Where the way from `approach` ended, if the board came to rest unobserved.
  private var wayEnd: PlaceEstimate?
  /// The place of the visit that this stay continues; nil: it is a new one.
  private var earlier: PlaceEstimate?
  /// When it was last located at a standstill.
  private var locatedUntil: Int64?
  /// By when it had come to rest, if a sensor detected that.
  private var sensedBy: Int64?
  /// When it was first located at a standstill near the centre.
  private(set) var restedSince: Int64?
  /// By when other evidence first showed that it rests here.
  private(set) var provenSince: Int64?
  /// When it was last known to rest near the centre; nil: never.
  private(set) var restedUntil: Int64?
  /// How long before its detection a departure may lie: nil for a location.
  private(set) var detectionDelay: Int64?
  /// The first location in motion since then, away from the centre but within reach.
  private(set) var leaving: PlanarLocation?

  /// Longer than a vehicle stops on its way, in nanoseconds.
  private static let halt: Int64 = 60_000_000_000

  /// - Parameter before: the last location elsewhere.
  init(_ seen: PlanarLocation, before: PlanarLocation?) {
    approach = before.flatMap { $0.isMoving ? $0 : nil }
    see(seen, isNear: true)
  }

  /// The last location in motion before it came to rest; nil after a location at a standstill.
  var unlocatedApproach: PlanarLocation? { standstill == nil ? approach : nil }

  /// Handles a location at the stay. A repeated one adds nothing to its place.
  /// - Parameters:
  ///   - isNear: whether it is close to the centre.
  ///   - isLeaving: whether motion there may be the way out: it is in the outer part of the place,
  ///     or in a vehicle.
  mutating func see(_ seen: PlanarLocation, isNear: Bool, isLeaving: Bool = false) {
    if seen.isMoving {
      if restedUntil == nil { approach = seen } else { leaving = isLeaving ? leaving ?? seen : nil }
      return
    }
    if isNear && seen.isAssumed || !isLeaving && seen.isAtStandstill {
      restedUntil = seen.time
      detectionDelay = nil
      leaving = nil
      if restedSince == nil, isNear, seen.isAtStandstill { restedSince = seen.time }
    }
    guard !seen.isRepeated else { return }
    locatedUntil = seen.time
    if standstill == nil { standstill = StayCentre(seen) } else { standstill?.add(seen) }
  }

  /// Other evidence shows that it rests until that time.
  /// - Parameter delay: how long before it a departure may lie.
  mutating func proveRest(until time: Int64, delay: Int64) {
    if provenSince == nil { provenSince = time }
    guard time >= restedUntil ?? .min else { return }
    restedUntil = time
    detectionDelay = delay
    leaving = nil
  }

  /// It came to rest unobserved.
  mutating func came(_ arrival: UnseenArrival) {
    if arrival.isSensed, sensedBy == nil { sensedBy = arrival.latest }
    guard standstill == nil, wayEnd == nil, let approach, arrival.latest >= approach.time
    else { return }
    wayEnd = PlaceEstimate(after: approach, for: arrival.time - approach.time)
  }

  /// The stay continues one that was found there.
  mutating func resume(at earlier: PlaceEstimate) { self.earlier = earlier }

  /// The centre is final: it was first located at a standstill near it then; nil: never.
  mutating func begin(at time: Int64?) { restedSince = time }

  /// The times between which it came to rest after its last location in motion, if evidence other
  /// than locations shows that first.
  /// - Parameter latest: by when it had come to rest unobserved; nil: unknown.
  func unseenArrival(by latest: Int64?) -> ClosedRange<Int64>? {
    guard let approach, let latest = [latest, provenSince].compactMap({ $0 }).min(),
      approach.time <= latest, latest <= restedSince ?? .max
    else { return nil }
    return approach.time...latest
  }

  /// The place as far as it is known.
  /// - Parameters:
  ///   - centre: of all locations of the stay, used where none was at a standstill.
  ///   - minutes: the length of the stay.
  ///   - away: the first location elsewhere; nil: the board has not left, or it is unknown how.
  func estimate(_ centre: StayCentre, over minutes: Double, away: PlanarLocation?)
    -> PlaceEstimate
  {
    let begin = begin(of: away)
    var observed: PlaceEstimate? =
      standstill?.estimate(over: minutes)
      ?? (wayEnd == nil && earlier == nil ? centre.estimate(over: minutes) : nil)
    if undetectedWay(to: begin) != nil { observed = nil }
    return PlaceEstimate.mean(of: [observed, wayEnd, earlier, begin].compactMap { $0 })
      ?? centre.estimate(over: minutes)
  }

  /// How far the board moved undetected after a sensor had seen it come to rest, in metres: it was
  /// located there, no longer than at a traffic light, and its way to `away` began elsewhere. Nil:
  /// it did not.
  private func undetectedWay(to begin: PlaceEstimate?) -> Double? {
    guard let begin, let sensedBy, let locatedUntil, locatedUntil - sensedBy <= Self.halt,
      let halt = standstill?.estimate(over: 0), halt.contradicts(begin)
    else { return nil }
    return halt.distance(to: begin)
  }

  /// How long it moved undetected after that, at most, in nanoseconds.
  func undetectedTime(away: PlanarLocation?) -> Int64 {
    guard let first = departing(to: away), let way = undetectedWay(to: begin(of: away))
    else { return 0 }
    return PlaceEstimate.longest(way, at: first)
  }

  /// Where the way to `away` began.
  private func begin(of away: PlanarLocation?) -> PlaceEstimate? {
    guard let restedUntil, let first = departing(to: away) else { return nil }
    return PlaceEstimate(before: first, for: first.time - restedUntil)
  }

  /// The first location in motion on the way to `away`.
  private func departing(to away: PlanarLocation?) -> PlanarLocation? {
    away.flatMap { leaving ?? ($0.isMoving ? $0 : nil) }
  }

  mutating func move(_ shift: PlaneShift) {
    standstill?.move(shift)
    shift.move(&approach)
    wayEnd?.move(shift)
    earlier?.move(shift)
    shift.move(&leaving)
  }

  static let fields: [SnapshotField<StayPlace>] = [
    .optional("standstill", \.standstill, StayCentre.coding),
    .optional("approach", \.approach, PlanarLocation.coding),
    .optional("way_end", \.wayEnd, PlaceEstimate.coding),
    .optional("earlier", \.earlier, PlaceEstimate.coding),
    .optional("located_until", \.locatedUntil, .time),
    .optional("sensed_by", \.sensedBy, .time),
    .optional("rested_since", \.restedSince, .time),
    .optional("proven_since", \.provenSince, .time),
    .optional("rested_until", \.restedUntil, .time),
    .optional("detection_delay_ns", \.detectionDelay, .duration),
    .optional("leaving", \.leaving, PlanarLocation.coding),
  ]
}
