import Core

/// A synthetic person, animal or thing that carries the board through its weeks: for tests of a
/// schedule, and for its evaluation with lives that it was not developed with.
///
/// The seed determines the places and shifts the hours; the walls around them depend on the virtual
/// receiver's own seed.
public struct Life: Sendable {
  /// As in `godwit simulate --life`.
  public let name: String
  /// One sentence for the help.
  let doc: String
  private let make: @Sendable (UInt64) -> any Itinerary

  init(
    _ name: String, _ doc: String, _ make: @escaping @Sendable (_ seed: UInt64) -> any Itinerary
  ) {
    self.name = name
    self.doc = doc
    self.make = make
  }

  public func itinerary(seed: UInt64) -> any Itinerary { make(seed) }

  public static let all: [Life] = [
    Life("city-resident", "by bus to work, sports, market, visits") { _ in DayPlan.townDweller },
    .commuter, .nightNurse, .schoolRun, .pensioner,
    .parcelDriver, .longDistanceDriver,
    .hiker, .sailor, .stolenBicycle,
  ]

  public static func named(_ name: String) -> Life? { all.first { $0.name == name } }
}

/// The trips of a life, day after day.
public protocol Itinerary: Sendable {
  /// Where the first day begins.
  var home: PlannedPlace { get }
  /// - Parameter dayNumber: days since 1970-01-01.
  func trips(dayNumber: Int) -> [PlannedTrip]
}

/// An itinerary that is generated for each day; the same day is always the same.
struct DailyItinerary: Itinerary {
  let home: PlannedPlace
  private let seed: UInt64
  private let plan: @Sendable (inout Day) -> [PlannedTrip]

  init(
    home: PlannedPlace, seed: UInt64,
    _ plan: @escaping @Sendable (inout Day) -> [PlannedTrip]
  ) {
    self.home = home
    self.seed = seed
    self.plan = plan
  }

  func trips(dayNumber: Int) -> [PlannedTrip] {
    var day = Day(
      number: dayNumber,
      random: SeededRandom(seed: seed, stream: UInt64(bitPattern: Int64(dayNumber))))
    return plan(&day)
  }
}

/// One day of a life.
struct Day {
  let number: Int
  var random: SeededRandom

  var weekday: Int { Self.weekday(number) }
  var isWorkday: Bool { weekday < 5 }

  /// 0 is Monday; day 0, 1970-01-01, was a Thursday.
  static func weekday(_ number: Int) -> Int { ((number + 3) % 7 + 7) % 7 }

  /// UTC, give or take some minutes.
  static func at(_ hour: Double, _ minute: Double = 0, scatter: Seconds = 300)
    -> PlannedTrip.Departure
  {
    .at(.hours(hour) + .minutes(minute), scatter: scatter)
  }

  /// After a stay of about this many minutes, with a standard deviation of a seventh.
  static func after(minutes: Double) -> PlannedTrip.Departure {
    .afterStaying(.minutes(minutes), scatter: .minutes(minutes / 7))
  }
}
