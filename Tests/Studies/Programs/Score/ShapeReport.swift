import Core
import LabelledDays
import Records
import Tracking

/// How many points an hour the simplified trajectory keeps while moving, and how far it is from the
/// locations at the same time.
struct ShapeReport {
  private(set) var hours = 0.0
  private(set) var seen = 0
  private(set) var kept = 0
  private var deviations: [Double] = []

  init(_ days: [LabelledDay], bound: Metres) {
    for day in days {
      let locations = TraceReplay(day.samples).locations
      for stretch in day.moving {
        add(locations.filter { stretch.start <= $0.time && $0.time <= stretch.end }, bound)
      }
    }
    deviations.sort()
  }

  private mutating func add(_ locations: [Location], _ bound: Metres) {
    guard let first = locations.first, let last = locations.last, first.time < last.time else {
      return
    }
    var simplifier = TrajectorySimplifier(TrajectorySettings { $0.sedBound = bound })
    var line = locations.compactMap { simplifier.add($0) }
    if let end = simplifier.finish() { line.append(end) }
    hours += (last.time - first.time).value / 3600
    seen += locations.count
    kept += line.count
    var index = 0
    for location in locations where location.time <= last.time {
      while index + 2 < line.count, line[index + 1].time < location.time { index += 1 }
      deviations.append(Self.deviation(of: location, from: line[index], line[index + 1]))
    }
  }

  /// The synchronised Euclidean distance, metres.
  private static func deviation(of seen: Location, from a: Location, _ b: Location) -> Double {
    let share = (seen.time - a.time) / (b.time - a.time)
    let plane = LocalPlane(origin: seen.position)
    let (from, to) = (plane.point(a.position), plane.point(b.position))
    let east = from.east + (to.east - from.east) * share
    let north = from.north + (to.north - from.north) * share
    return plane.point(seen.position).distance(to: .init(east: east, north: north)).value
  }

  /// Fixes an hour; mean, 95th percentile and largest deviation in metres.
  var figures: (perHour: Double, mean: Double, p95: Double, largest: Double) {
    let count = Double(max(1, deviations.count))
    return (
      Double(kept) / max(hours, 1e-9), deviations.reduce(0, +) / count,
      deviations.isEmpty ? 0 : deviations[Int(0.95 * (count - 1))], deviations.last ?? 0
    )
  }
}
