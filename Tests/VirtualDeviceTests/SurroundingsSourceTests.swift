import Core
import Records
import Testing

@testable import VirtualDevice

/// The sources that observe the surroundings: Wi-Fi, cell and the vehicle's supply.
@Suite struct SurroundingsSourceTests {
  private func place(_ number: Int, _ reception: Reception) -> StandingTruth {
    let truth = StandingTruth(reception: reception)
    truth.position = Coordinate(
      latitude: Degrees(40 + Double(number) * 0.1737), longitude: Degrees(5 + Double(number) * 0.07)
    )
    return truth
  }

  private func scan(_ truth: StandingTruth, seed: UInt64 = 1, at time: UTCInstant = morning)
    -> [String]
  {
    let source = WiFiSource(from: morning, seed: seed)
    let state = TrueState(position: truth.position, reception: truth.reception)
    guard
      case .accessPoints(let heard)? = source.answer(
        at: time, truth: TruthSegment.Moment(state, at: time))
    else { return [] }
    return heard.signals.map(\.bssid)
  }

  /// All access points received in twenty consecutive scans.
  private func neighbourhood(_ truth: StandingTruth, at time: UTCInstant = morning) -> Set<String> {
    Set((0..<20).flatMap { scan(truth, at: time + Seconds(Double($0))) })
  }

  @Test("3 to 30 access points indoors and in streets, 0 to 8 in the open")
  func counts() {
    for (reception, range) in [(Reception.indoors, 3...30), (.street, 3...30), (.open, 0...8)] {
      let counts = (0..<100).map { neighbourhood(place($0, reception)).count }
      // One of them may be replaced during the scans.
      #expect(counts.allSatisfy { (range.lowerBound...range.upperBound + 1).contains($0) })
      #expect(counts.min() == range.lowerBound)
      #expect(counts.max().map { $0 >= range.upperBound - 2 } == true)
    }
  }

  @Test("a scan misses three of ten, and receives the same ones again")
  func misses() {
    var heard = 0
    var there = 0
    for number in 0..<100 {
      let truth = place(number, .indoors)
      there += neighbourhood(truth).count * 20
      heard += (0..<20).map { scan(truth, at: morning + Seconds(Double($0))).count }.reduce(0, +)
    }
    let share = Double(heard) / Double(there)
    #expect((0.68...0.72).contains(share), "\(share)")
  }

  @Test("one of twenty is mobile, and two of a hundred move in a month")
  func changes() {
    var (there, gone, gonePerYear) = (0, 0, 0)
    for number in 0..<300 {
      let truth = place(number, .indoors)
      let before = neighbourhood(truth)
      there += before.count
      gone += before.subtracting(neighbourhood(truth, at: morning + .hours(6))).count
      gonePerYear += before.subtracting(neighbourhood(truth, at: morning + .days(300))).count
    }
    let mobile = Double(gone) / Double(there)
    #expect((0.035...0.065).contains(mobile), "\(mobile)")
    // Ten months; 1 - 0.98^10 is 0.18, and one that moves back is there again.
    let moved = Double(gonePerYear - gone) / Double(there)
    #expect((0.13...0.20).contains(moved), "\(moved)")
  }

  @Test("access points that move appear elsewhere, and no two places share one")
  func exchange() {
    let here = place(0, .indoors)
    // 64 cells of 60 m to the north-east or south-west.
    let offsets = [-1.0, 1].map { $0 * 64 * 60 / 111_195 }
    let before = neighbourhood(here)
    for north in offsets {
      let there = place(0, .indoors)
      there.position.latitude = there.position.latitude + Degrees(north)
      #expect(neighbourhood(there).isDisjoint(with: before))
    }
  }

  @Test("at rest the serving cell changes twice an hour, among three")
  func cellsAtRest() throws {
    var changes = 0
    for seed in 1...20 as ClosedRange<UInt64> {
      var source = CellSource(random: SeededRandom(seed: seed))
      var names: Set<String> = []
      for piece in 0..<(24 * 7 * 6) {
        let begins = morning + .minutes(Double(piece) * 10)
        var spell = TruthSegment(.resting, from: begins, isContinued: piece > 0)
        spell.ends = begins + .minutes(10)
        spell.see(
          TruthSegment.Moment(TrueState(position: groningen, reception: .indoors), at: begins))
        for told in source.follow(spell) {
          if case .cell(let name) = told.evidence { names.insert(name) }
          changes += 1
        }
      }
      #expect(names.count == 3)
    }
    let rate = Double(changes) / (20 * 24 * 7)
    #expect((1.9...2.1).contains(rate), "\(rate)")
  }

  @Test("under way there is a tower every 800 m in town and every 3 km outside")
  func towersOnTheWay() throws {
    for (accuracy, spacing) in [(50.0, 800.0), (5.0, 3000)] {
      let samples = (0...4000).map { second in
        TruthSample(
          time: morning + Seconds(Double(second)),
          position: Coordinate(
            latitude: Degrees(48 + Double(second) * 20 / 111_195), longitude: 11.3),
          speed: 20, accuracy: Metres(accuracy))
      }
      let run = try SourceRun(#require(TraceTruth(samples)), [.cell])
      let towers = 80_000 / spacing
      #expect((towers * 0.8...towers * 1.4).contains(Double(run.cells.count)), "\(run.cells.count)")
    }
  }

  @Test("the ignition is on while it is driven, and off within a minute after")
  func ignition() throws {
    for name in ["parcel-driver", "long-distance-driver", "school-run", "pensioner"] {
      let run = try SourceRun(#require(Life.named(name)), days: 3, seed: 3, [.ignition])
      let changes = run.ignition
      #expect(changes.first?.isOn == false)
      for (change, next) in zip(changes, changes.dropFirst()) { #expect(change.isOn != next.isOn) }
      for spell in run.whole {
        let fast = spell.pieces.flatMap(\.moments).filter { $0.speed > 5 }
        for moment in fast {
          #expect(changes.last { $0.at <= moment.time }?.isOn == true, "\(name)")
        }
        // Off at most a minute after the last movement.
        if spell.kind == .resting, spell.ends - spell.begins > 70 {
          #expect(changes.last { $0.at <= spell.begins + 61 }?.isOn == false, "\(name)")
        }
      }
      if name == "pensioner" { #expect(changes.count == 1) }
    }
  }
}
