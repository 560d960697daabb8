import Core
import Records
import Testing

@testable import Tracking

@Suite struct DepartureHistogramTests {
  static let hour = 3600.0
  static let day = 86_400.0

  /// This many seconds after a Monday's midnight.
  static func time(_ seconds: Double) -> UTCInstant {
    UTCInstant(seconds: 1_777_852_800 + seconds)
  }

  /// Habits, and the id of the next visit.
  struct Bench {
    var hours = DepartureHistogram()
    var visits: Int64 = 0

    mutating func stay(at place: Int64, from arrival: Double, to departure: Double) {
      visits += 1
      end(visits, at: place, from: arrival, to: departure)
    }

    mutating func end(_ id: Int64, at place: Int64, from arrival: Double, to departure: Double) {
      hours.ended(
        Visit(
          id: id, arrival: .init(exactly: DepartureHistogramTests.time(arrival)),
          departure: .init(exactly: DepartureHistogramTests.time(departure)),
          position: Coordinate(latitude: 53, longitude: 6), accuracy: 5, confidence: 1,
          locations: 9),
        at: place)
    }

    /// At home from six in the evening until half past seven, then at work, on this many days.
    mutating func work(_ days: Range<Int>) {
      for number in days {
        let midnight = Double(number) * DepartureHistogramTests.day
        let morning = midnight + 7.5 * DepartureHistogramTests.hour
        stay(at: 1, from: midnight - 6 * DepartureHistogramTests.hour, to: morning)
        stay(at: 2, from: morning + 1800, to: midnight + 17.5 * DepartureHistogramTests.hour)
      }
    }

    func stretch(_ hour: Double, day: Int, at place: Int64 = 1) -> Double {
      let seconds = Double(day) * DepartureHistogramTests.day + hour * DepartureHistogramTests.hour
      return hours.stretch(at: place, DepartureHistogramTests.time(seconds))
    }
  }

  static func worked(_ days: Int) -> Bench {
    var bench = Bench()
    bench.work(0..<days)
    return bench
  }

  @Test("the pause is shorter when a place is usually left, and longer at other hours")
  func habit() {
    let bench = Self.worked(7)
    #expect(bench.stretch(7.5, day: 7) < 0.7)
    #expect(bench.stretch(2, day: 7) > 1.1)
    #expect(bench.stretch(17.5, day: 7, at: 2) < 0.7)
    #expect(bench.stretch(7.5, day: 7, at: 3) == 1, "nobody was there")
  }

  @Test("departures on a few days are no habit, however many there are")
  func tooFew() {
    // The last stay at work is not counted yet, but the one at home is.
    #expect(Self.worked(3).stretch(7.5, day: 3) == 1)
    #expect(Self.worked(4).stretch(7.5, day: 4) < 1)
    var bench = Bench()
    for start in stride(from: 0.0, to: 10 * Self.hour, by: 600) {
      bench.stay(at: 1, from: start, to: start + 300)
    }
    #expect(bench.stretch(5, day: 1) == 1)
  }

  @Test("the attempts of a usual day are no more than without habits, and not many fewer")
  func sameEnergy() {
    let bench = Self.worked(20)
    let atHome = [0..<15, 36..<48].joined()
    let looks = atHome.map { 1 / bench.stretch(Double($0) / 2 + 0.25, day: 20) }.reduce(0, +)
    #expect((0.8...1.02).contains(looks / 27))
    for half in 0..<48 {
      let stretch = bench.stretch(Double(half) / 2, day: 20)
      #expect((0.4...1.25).contains(stretch))
    }
  }

  @Test("departures at random hours are no habit")
  func regular() {
    var bench = Bench()
    for hour in 0..<24 * 14 {
      bench.stay(at: 1, from: Double(hour) * Self.hour + 600, to: Double(hour + 1) * Self.hour)
    }
    for hour in 0..<24 { #expect(abs(bench.stretch(Double(hour) + 0.5, day: 14) - 1) < 0.15) }
  }

  @Test("habits are forgotten")
  func forgotten() {
    #expect(Self.worked(14).stretch(7.5, day: 14) < 1)
    #expect(Self.worked(14).stretch(7.5, day: 100) == 1)
  }

  @Test("a visit that continues counts once, with its last end")
  func reopened() {
    var bench = Bench()
    for number in 0..<8 {
      let midnight = Double(number) * Self.day
      bench.visits += 1
      for hour in [4.5, 7.5] {
        bench.end(bench.visits, at: 1, from: midnight, to: midnight + hour * Self.hour)
      }
    }
    #expect(bench.stretch(4.5, day: 8) > 1)
    #expect(bench.stretch(7.5, day: 8) < 1)
  }

  @Test("places visited on the fewest days are dropped first")
  func bounded() throws {
    var bench = Self.worked(7)
    for place in 3..<60 {
      let start = (7 + Double(place) / 60) * Self.day
      bench.stay(at: Int64(place), from: start, to: start + 600)
    }
    #expect(bench.stretch(7.5, day: 8) < 1)
    let places = try #require(DepartureHistogram.fields.snapshot(of: bench.hours)["places"]?.array)
    #expect(places.count == 8)
  }

  @Test("a stay of decades and one that ends before it began cost nothing")
  func absurd() {
    var bench = Bench()
    bench.stay(at: 1, from: -1e9, to: 1e9)
    bench.stay(at: 1, from: 1e9, to: -1e9)
    bench.work(0..<7)
    #expect(bench.stretch(7.5, day: 7).isFinite)
  }

  @Test("habits are renumbered with their destinations")
  func renumbered() throws {
    var bench = Self.worked(7)
    let shift = try #require(Renumbering(aboveVisit: 100, destination: 10, session: 0))
    bench.hours.renumber(by: shift)
    #expect(bench.stretch(7.5, day: 7) == 1)
    #expect(bench.stretch(7.5, day: 7, at: 11) < 1)
  }

  // MARK: Over a restart

  static func restored(_ text: String) throws -> DepartureHistogram {
    try #require(
      DepartureHistogram.fields.restored(JSONValue(parsing: text), onto: DepartureHistogram()))
  }

  @Test("habits survive a restart, with the stay that may continue")
  func restart() throws {
    let before = Self.worked(7)
    let text = DepartureHistogram.fields.snapshot(of: before.hours).text
    var after = Bench(hours: try Self.restored(text), visits: before.visits)
    #expect(DepartureHistogram.fields.snapshot(of: after.hours).text == text)
    #expect(abs(after.stretch(7.5, day: 7) - before.stretch(7.5, day: 7)) < 0.01)
    after.work(7..<8)
    var uninterrupted = before
    uninterrupted.work(7..<8)
    let other = uninterrupted.stretch(17.5, day: 8, at: 2)
    #expect(abs(after.stretch(17.5, day: 8, at: 2) - other) < 0.01)
  }

  @Test("damaged places are dropped, the others stay")
  func damaged() throws {
    // A run-length code for this many zeros.
    let zeros = "-48"
    func place(
      _ id: String = "5", day: String = "20000", days: String = "900", left: String? = nil,
      present: String? = nil
    ) -> String {
      "[\(id),\(day),\(days),[\(left ?? zeros)],[\(present ?? zeros)]]"
    }
    let sound = place("1")
    let hostile = [
      place("-1"), place("1e30"), place(day: "-1"), place(day: "1e9"), place(days: "1e300"),
      place(days: "null"), place(left: "0"), place(left: zeros + ",0"), place(present: ""),
      place(left: "-49"), place(left: "-1e30"), place(left: "5,-46"), "7", "[]", "{}",
      place("1", days: "500"),
    ]
    let hours = try Self.restored(
      "{\"places\":[\(hostile.dropLast().joined(separator: ",")),\(sound),\(hostile.last!)]}")
    #expect(DepartureHistogram.fields.snapshot(of: hours).text == "{\"places\":[\(sound)]}")
    #expect(hours.stretch(at: 1, UTCInstant(seconds: 20_000 * Self.day)) == 1, "never left")
    for other in ["{}", "{\"places\":7}", "{\"latest\":[1,2,\"x\",\"y\"]}"] {
      #expect(
        DepartureHistogram.fields.snapshot(of: try Self.restored(other)).text == "{\"places\":[]}")
    }
    let full = (1...99).map { place(String($0)) }.joined(separator: ",")
    let kept = DepartureHistogram.fields.snapshot(of: try Self.restored("{\"places\":[\(full)]}"))
    #expect(kept["places"]?.array?.count == 8)
  }
}
