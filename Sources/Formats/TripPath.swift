import Core
import Records

/// The path between two visits as far as it is stored: straight lines from point to point, on the
/// sphere.
///
/// The uncertainty of its length has four parts:
///
/// * The positions have errors. To first order an error changes the length only at the ends and at
///   turns: with an error s in each direction a corner of the angle t, 0 being straight on,
///   contributes the variance s² (2 - 2 cos t), an end s². The accuracy of a point is the 68 %
///   radius, which is 1.51 s if errors are normal and equal in both directions.
/// * Between two points the path is longer than the line. Locations that the simplifier has left
///   out are at most its bound away from the line, and a bend of that height makes the line d
///   longer by 2 sqrt((d/2)² + bound²) - d. If the receiver has measured speeds at both points,
///   their mean times the time between may be more; the larger one counts. These excesses all have
///   one sign: their sum is the width of a rectangular distribution, whose standard uncertainty is
///   the sum divided by √3 (JCGM 100:2008, 4.3.7).
/// * Coarse locations are off the path, and make it longer than it was: if one of them is a corner,
///   by up to the difference to the line across, as far as its error explains that. These have one
///   sign, too, and count like the excesses.
/// * Over a gap of more than 15 minutes it is only known that the path was at least as long as the
///   line. No uncertainty can express that; the length of such lines is given separately.
struct TripPath {
  /// The position of the board at a time.
  struct Stop {
    let position: Coordinate
    let time: UTCInstant
    let accuracy: Metres
    var speed: MetresPerSecond?
    /// Whether it comes from a coarse source.
    var isCoarse = false
  }

  /// The 68 % radius in standard deviations of one direction: sqrt(-2 ln 0.32).
  private static let radius68 = 1.51

  private let bound: Metres
  private var stop: Stop
  /// The stop before, and the distance from it.
  private var before: (stop: Stop, distance: Double)?
  private(set) var length = 0.0
  private(set) var unwatchedLength = 0.0
  private(set) var unwatched = Seconds.zero
  private var variance: Double
  private var excess = 0.0
  private var detours = 0.0
  /// How many of the stops come from a coarse source.
  private(set) var coarseStops = 0
  /// The speeds from stop to stop, weighted by duration.
  private var speeds: [(speed: Double, weight: Double)] = []
  /// The speeds measured by the receiver at the stops, with equal weights.
  private var measured: [(speed: Double, weight: Double)] = []

  /// - Parameter bound: the greatest distance from the stored line of a location that was left out.
  init(from start: Stop, bound: Metres) {
    self.bound = bound
    stop = start
    variance = Self.variance(of: start)
  }

  mutating func go(to next: Stop) {
    let distance = Sphere.distance(stop.position, next.position).value
    let duration = max(0, (next.time - stop.time).value)
    if let before {
      let across = Sphere.distance(before.stop.position, next.position).value
      variance += Self.variance(of: stop) * Self.bend(before.distance, distance, across)
      if stop.isCoarse {
        detours += min(before.distance + distance - across, 2 * stop.accuracy.value)
      }
    }
    if next.isCoarse { coarseStops += 1 }
    if let speed = next.speed?.value, speed.isFinite { measured.append((speed, 1)) }
    length += distance
    if duration > UnobservedPeriod.shortest.value {
      unwatched += Seconds(duration)
      unwatchedLength += distance
    } else {
      watch(next, distance, duration)
    }
    before = (stop, distance)
    stop = next
  }

  private mutating func watch(_ next: Stop, _ distance: Double, _ duration: Double) {
    let half = distance / 2
    let bent = 2 * (half * half + bound.value * bound.value).squareRoot()
    var mean: Double?
    if let a = stop.speed?.value, let b = next.speed?.value, (a + b).isFinite { mean = (a + b) / 2 }
    excess += max(bent, mean.map { $0 * duration } ?? 0) - distance
    guard duration > 0 else { return }
    // Into one underground station and out of another: the speed was at least that of the line
    // between.
    let least = (distance - stop.accuracy.value - next.accuracy.value) / duration
    speeds.append((mean.map { max($0, least) } ?? distance / duration, duration))
  }

  /// Standard uncertainty of the length so far. The last stop is its end.
  var uncertainty: Metres {
    let oneSided = excess * excess + detours * detours
    return Metres((variance + Self.variance(of: stop) + oneSided / 3).squareRoot())
  }

  /// A walk up to 2.5 m/s (9 km/h), by bicycle up to 8.5 m/s (31 km/h), otherwise a vehicle: by the
  /// speed that was reached or exceeded for a tenth of the time, or at a tenth of the measurements,
  /// because a vehicle in traffic stands still for much of the time. Unknown if less than half of
  /// time or path was observed.
  var mode: Trip.Mode {
    let watched = speeds.reduce(0) { $0 + $1.weight }
    guard watched > 0, watched >= unwatched.value, unwatchedLength <= length / 2,
      let speed = [Self.fastestTenth(of: speeds), Self.fastestTenth(of: measured)]
        .compactMap({ $0 }).max()
    else { return .unknown }
    return speed <= 2.5 ? .walk : speed <= 8.5 ? .bicycle : .vehicle
  }

  private static func fastestTenth(of speeds: [(speed: Double, weight: Double)]) -> Double? {
    var rest = speeds.reduce(0) { $0 + $1.weight } / 10
    return speeds.sorted { $0.speed > $1.speed }.first { sample in
      rest -= sample.weight
      return rest <= 0
    }?.speed
  }

  private static func variance(of stop: Stop) -> Double {
    let deviation = stop.accuracy.value / radius68
    return deviation * deviation
  }

  /// 2 - 2 cos t for the corner between two lines, from their lengths and the line across.
  private static func bend(_ first: Double, _ second: Double, _ across: Double) -> Double {
    guard first > 0, second > 0 else { return 2 }
    let cosine = (across * across - first * first - second * second) / (2 * first * second)
    return 2 - 2 * max(-1, min(cosine, 1))
  }
}
