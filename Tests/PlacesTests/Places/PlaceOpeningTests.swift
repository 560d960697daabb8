import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Places that are not always open.
@Suite struct PlaceOpeningTests {
  /// A Monday at 00:00.
  private static let monday = UTCInstant(seconds: 1_780_272_000)

  private static func schedule(_ lines: String...) throws -> Schedule {
    try Schedule(calendar: lines.joined(separator: "\r\n"), local: .utc) { _ in nil }
  }

  /// From nine to five, Monday to Friday.
  private static func office() throws -> Schedule {
    try schedule(
      "DTSTART:20260601T090000", "DURATION:PT8H", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
  }

  @Test("a schedule with starts only is refused: the place would never be open")
  func neverOpen() throws {
    var details = PlaceDetails(
      name: "Shop", location: .fixed(Drawing.at(52, 5)), perimeter: .circle(radius: 50),
      owner: "ada")
    details.schedule = PlaceSchedule(iCalendar: "DTSTART:20260601T090000")
    let id = try #require(PlaceID("11111111-1111-4111-8111-111111111111"))
    let place = try Place(id: id, details)
    #expect(throws: RecurrenceError.noDuration) {
      _ = try PlaceOpening(of: place, local: .utc) { _ in nil }
    }
  }

  @Test("a place is open within its lifetime while its schedule is on, and reports the next change")
  func changes() throws {
    let lifetime = PlaceLifetime(from: Self.monday + .hours(30), until: Self.monday + .hours(60))
    let opening = PlaceOpening(lifetime, try Self.office())
    // It begins on Tuesday at six, opens from nine to five, and ends on Wednesday at noon.
    let turns: [Double] = [24 + 9, 24 + 17, 48 + 9, 48 + 12]
    var date = Self.monday
    var isOpen = false
    for turn in turns {
      #expect(opening.isOpen(at: date) == isOpen)
      date = try #require(opening.nextChange(after: date))
      #expect(date == Self.monday + .hours(turn))
      isOpen.toggle()
    }
    #expect(!opening.isOpen(at: date) && opening.nextChange(after: date) == nil)
  }

  @Test("a place without a schedule is open for its lifetime") func lifetimes() {
    let from = PlaceOpening(PlaceLifetime(from: Self.monday))
    #expect(from.nextChange(after: Self.monday - 1) == Self.monday)
    #expect(from.nextChange(after: Self.monday) == nil)
    let always = PlaceOpening(PlaceLifetime())
    #expect(always.isOpen(at: Self.monday) && always.nextChange(after: Self.monday) == nil)
  }

  @Test("a schedule that is on only before the lifetime never opens") func never() throws {
    let once = try Self.schedule("DTSTART:20260601T090000", "DURATION:PT8H")
    let opening = PlaceOpening(PlaceLifetime(from: Self.monday + .days(3)), once)
    #expect(opening.nextChange(after: Self.monday) == nil)
  }

  // MARK: Watched

  private static let shopAt = Drawing.at(52, 5)

  private static func location(metres: Metres = 0) -> Location {
    Location(
      time: monday, position: Sphere.destination(from: shopAt, bearing: 90, distance: metres),
      accuracy: 5, speed: nil, track: nil, altitude: nil, source: .gnss)
  }

  /// A shop with office hours, and a watch whose boot was at midnight before Monday.
  private struct Bench {
    var watch = PlaceWatch()
    var crossings: [(change: PlaceChange, hour: Double)] = []
    var look: PlaceReach.FixRequest?
    private let shop: Place
    private let opening: PlaceOpening

    init() throws {
      shop = try Place(
        id: Drawing.id(1),
        Drawing.details {
          $0.location = .fixed(PlaceOpeningTests.shopAt)
          $0.perimeter = .circle(radius: 50)
        })
      opening = PlaceOpening(PlaceLifetime(), try PlaceOpeningTests.office())
      step(.wanted([PlaceInterest(.all)]), 0)
    }

    mutating func step(_ event: PlaceEvent, _ hour: Double) {
      let date = PlaceOpeningTests.monday + .hours(hour)
      let now = BootInstant.zero + .hours(hour)
      var effects = watch.step(event, at: now, date: date)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .find(_, _, let request):
          effects += watch.step(
            .found([shop], openings: [shop.id: opening], request: request, isCut: false), at: now,
            date: date)
        case .changed(let change): if change.isCrossing { crossings.append((change, hour)) }
        case .requestFix(let next): look = next
        }
      }
    }

    func opensNext(_ hour: Double) -> UTCInstant? {
      watch.due(at: .zero + .hours(hour), date: PlaceOpeningTests.monday + .hours(hour))
    }

    mutating func located(_ metres: Metres, _ hour: Double) {
      step(.presence(.located(PlaceOpeningTests.location(metres: metres))), hour)
    }
  }

  @Test("an arrival while closed counts at opening, and closing is not a departure")
  func watched() throws {
    var bench = try Bench()
    bench.located(1000, 7)
    bench.located(0, 8)
    #expect(bench.crossings.isEmpty)
    #expect(bench.opensNext(8) == Self.monday + .hours(9))
    #expect(bench.look?.at == .zero + .hours(9), "it could be there when it opens")
    bench.located(0, 9.01)
    try #require(bench.crossings.count == 1)
    let entered = bench.crossings[0].change.change
    #expect(entered.from == .outside && entered.to == .inside)
    #expect(entered.earliest == .zero + .hours(9.01), "not before it was open")
    bench.located(0, 18)
    bench.located(1000, 20)
    bench.located(1000, 20.1)
    bench.located(1000, 33.5)
    #expect(bench.crossings.count == 1)
    #expect(bench.opensNext(33.5) == nil)
    bench.located(0, 34)
    #expect(bench.crossings.count == 2)
  }

  @Test("a board at rest there needs no fix at opening") func resting() throws {
    var bench = try Bench()
    bench.step(.presence(.resting(since: .zero + .hours(6))), 6)
    bench.located(0, 6.1)
    #expect(bench.crossings.isEmpty)
    #expect(bench.look.map { $0.at > .zero + .hours(9) } ?? true)
    bench.step(.timePassed, 9)
    try #require(bench.crossings.count == 1)
    #expect(bench.crossings[0].change.change.earliest == .zero + .hours(9))
    #expect(bench.crossings[0].change.change.latest == .zero + .hours(9))
  }

  @Test("an earlier run was inside, and meanwhile the place was closed") func restarted() throws {
    var bench = try Bench()
    bench.watch = PlaceWatch(states: [PlaceZone(Drawing.id(1)): .inside])
    bench.located(1000, 20)
    bench.located(1000, 20.1)
    bench.located(1000, 34)
    #expect(bench.crossings.isEmpty, "it was left while it was closed, or closed while one was in")
  }
}
