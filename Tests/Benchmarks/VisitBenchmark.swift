import Core
import Records
import Tracking

/// Visit detection on a synthetic day at 1 Hz: locations per second of CPU time, on one core.
enum VisitBenchmark {
  static func run(_ arguments: [String]) throws {
    let days = arguments.first.flatMap { Int($0) } ?? 10
    let day = locations(seconds: 86_400)
    var found = 0
    let seconds = Stopwatch.best {
      found = 0
      for _ in 0..<days {
        var detector = VisitDetector(settings: DwellSettings(), nextID: 1)
        for location in day { found += detector.observe(location).count }
      }
    }
    let count = Double(day.count * days)
    print("visits: \(Stopwatch.text(count / seconds / 1e6)) million locations/s, \(found) changes")
    var kept = 0
    let simplifying = Stopwatch.best {
      kept = 0
      for _ in 0..<days {
        var simplifier = TrajectorySimplifier(TrajectorySettings())
        for location in day where simplifier.add(location) != nil { kept += 1 }
      }
    }
    print(
      "trajectory: \(Stopwatch.text(count / simplifying / 1e6)) million locations/s, \(kept) kept")
  }

  /// Twelve hours at rest with a wandering error and twelve in motion, alternating every hour.
  private static func locations(seconds: Int) -> [Location] {
    var random: UInt64 = 1
    var offset = (east: 0.0, drift: 0.0)
    return (0..<seconds).map { second in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      offset.drift = offset.drift * 0.98 + (Double(random >> 40) / 16_777_216 - 0.5) * 4
      if second / 3600 % 2 == 1 { offset.east += 8 }
      return Location(
        time: UTCInstant(seconds: 1_750_000_000 + Double(second)),
        position: Coordinate(
          latitude: Degrees(47 + offset.drift / 111_195),
          longitude: Degrees(15 + offset.east / 75_800)),
        accuracy: 5)
    }
  }
}
