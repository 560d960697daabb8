import Core
import Records
import TestSupport

@testable import Places

/// An alert engine with a store of places that answers at once, and the raised alerts.
struct AlertBench {
  static let centre = Coordinate(latitude: 52, longitude: 5)
  /// Thursday 2026-05-28 20:26:40 UTC.
  static let date = UTCInstant(seconds: 1_780_000_000)

  var places: [Place]
  private(set) var engine: AlertEngine
  private(set) var raised: [AlertFinding] = []
  private(set) var crossings: [PlaceChange] = []
  private(set) var over: [Int64] = []
  private(set) var looks: [AlertFixReason: AlertFixRequest] = [:]
  private(set) var wake: BootInstant?
  private(set) var effects: [AlertEffect] = []
  /// Time of the last event in seconds.
  private(set) var now = 0.0
  /// Nil: the date is unknown.
  var dateAtStart: UTCInstant?
  /// How often the time of the requested location changed.
  private(set) var lookChanges = 0

  init(
    _ places: [Place] = [], _ alerts: [Alert] = [], restoring state: String? = nil,
    date: UTCInstant? = AlertBench.date, at start: Double = 0
  ) {
    self.places = places
    dateAtStart = date
    engine = AlertEngine(restoring: state)
    step(.alerts(alerts), at: start)
  }

  static func place(
    _ name: String, _ distance: Metres = 0, radius: Metres = 60, seed: UInt64 = 1,
    _ change: (inout PlaceDetails) -> Void = { _ in }
  ) -> Place {
    var chance = SplitMix(seed: seed)
    var details = PlaceDetails(
      name: name, location: .fixed(position(distance)), perimeter: .circle(radius: radius),
      owner: "ada")
    change(&details)
    do {
      return try Place(id: PlaceID.made(using: &chance), details)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A position at this distance from the centre, to the east by default.
  static func position(_ distance: Metres, bearing: Degrees = 90) -> Coordinate {
    Sphere.destination(from: centre, bearing: bearing, distance: distance)
  }

  mutating func step(_ event: AlertEvent, at seconds: Double) {
    now = seconds
    let instant = BootInstant.boot(seconds)
    let date = dateAtStart.map { $0 + Seconds(seconds) }
    var waiting = engine.step(event, at: instant, date: date)
    while !waiting.isEmpty {
      let effect = waiting.removeFirst()
      effects.append(effect)
      switch effect {
      case .find(_, let most, let request):
        waiting += engine.step(
          .places(
            .found(
              Array(places.prefix(most)), request: request, isCut: places.count > most)),
          at: instant, date: date)
      case .crossed(let change): crossings.append(change)
      case .raised(let finding): raised.append(finding)
      case .over(let alert): over.append(alert)
      case .requestFix(let looker, let look):
        looks[looker] = look
        lookChanges += 1
      case .wake(let at): wake = at
      }
    }
  }

  /// Located at this distance east of the centre.
  mutating func locate(_ distance: Metres, accuracy: Metres = 5, at seconds: Double) {
    let location = Location(
      time: (dateAtStart ?? Self.date) + Seconds(seconds), position: Self.position(distance),
      accuracy: accuracy)
    step(.places(.presence(.located(location))), at: seconds)
  }

  /// Located there four times, enough to leave.
  mutating func stand(_ distance: Metres, accuracy: Metres = 5, from seconds: Double) {
    for count in 0..<4 { locate(distance, accuracy: accuracy, at: seconds + Double(count) * 30) }
  }

  mutating func rest(at seconds: Double) {
    step(.places(.presence(.resting(since: .boot(seconds)))), at: seconds)
  }

  mutating func move(at seconds: Double) {
    step(.places(.presence(.moving(since: .boot(seconds)))), at: seconds)
  }

  var told: [String] { raised.map { "\($0.alert.rule.kind.rawValue): \($0.place?.name ?? "-")" } }

  /// Every day at this time in `date`'s zone, for `minutes`.
  static func daily(_ time: String, minutes: Int = 0) throws -> Schedule {
    try Schedule(
      calendar: "DTSTART:20260501T\(time)00Z\r\nDURATION:PT\(minutes)M\r\nRRULE:FREQ=DAILY\r\n",
      local: .utc
    ) { _ in nil }
  }
}
