import Core
import Records
import Tracking

/// One step of the motion estimator: nanoseconds of CPU time per piece of evidence.
enum MotionBenchmark {
  static func run(_ arguments: [String]) throws {
    let days = arguments.first.flatMap { Int($0) } ?? 10
    let day = events(seconds: 86_400)
    var resting = 0
    let seconds = Stopwatch.best {
      var motion = MotionEstimator(sources: ["motion", "network", "wifi", "cell"], dwell: 300)
      var midnight = BootInstant.zero
      for _ in 0..<days {
        for (second, event) in day {
          let now = midnight + second
          switch event {
          case .location(let location): motion.located(location, at: now)
          case .evidence(let evidence): motion.handle(evidence, at: now)
          case .time: motion.timePassed(at: now)
          }
          if motion.isResting { resting += 1 }
        }
        midnight = midnight + .days(1)
      }
    }
    let nanoseconds = seconds / Double(day.count * days) * 1e9
    let state = resting > 0 ? "at rest now and then" : "never at rest"
    print("motion: \(Stopwatch.text(nanoseconds)) ns a step, \(state)")
  }

  private enum Event {
    case location(Location)
    case evidence(Evidence)
    case time
  }

  /// Alternating hours at rest and in motion, with every kind of evidence that a board receives.
  private static func events(seconds: Int) -> [(Seconds, Event)] {
    let scan = (0..<20).map {
      AccessPointSignal(bssid: "02:00:00:00:00:\($0 + 10)", strength: -40 - Double($0) * 2)
    }
    var east = 0.0
    var events: [(Seconds, Event)] = []
    for second in 0..<seconds {
      let isMoving = second / 3600 % 2 == 1
      if isMoving { east += 8 }
      let event: Event
      switch second % 60 {
      case 10, 20, 30, 40, 50: event = isMoving ? .evidence(.motion) : .time
      case 15: event = .evidence(.cell("001-01-\(second / 600 % 4)"))
      case 25: event = .evidence(.network(isMoving ? nil : "02:00:00:00:00:01"))
      case 35: event = .evidence(.accessPoints(AccessPointScan(scan)))
      default:
        event = .location(
          Location(
            time: UTCInstant(seconds: 1_750_000_000 + Double(second)),
            position: Coordinate(latitude: 47, longitude: Degrees(15 + east / 75_800)),
            accuracy: 5, source: .gnss))
      }
      events.append((Seconds(Double(second)), event))
    }
    return events
  }
}
