import Core
import Testing

@testable import VirtualDevice

@Suite struct NetworkSourceTests {
  /// The network joined at an instant; the inner optional: none.
  private func network(_ run: SourceRun, at moment: UTCInstant) -> String? {
    run.networks.last { $0.at <= moment }?.name
  }

  @Test("seven of ten indoor places have a network, always the same")
  func places() throws {
    var have = 0
    var all = 0
    for life in Life.all {
      for seed in 1...12 as ClosedRange<UInt64> {
        let run = SourceRun(life, days: 3, seed: seed, [.network])
        var found: [String: Set<String>] = [:]
        for stay in run.stays where stay.place.reception.isRoof && stay.place.swing == 0 {
          guard stay.departure - stay.arrival >= .minutes(30) else { continue }
          let name = network(run, at: stay.arrival + 90)
          found["\(stay.place)", default: []].insert(name ?? "none")
        }
        all += found.count
        for names in found.values {
          #expect(names.count == 1, "\(life.name) \(seed): \(names)")
          if names != ["none"] { have += 1 }
        }
      }
    }
    let share = Double(have) / Double(all)
    #expect(all > 250 && (0.64...0.76).contains(share), "\(have) of \(all)")
  }

  @Test("joined 10 to 60 s after the arrival, lost 5 to 30 s after the departure")
  func delays() throws {
    var joins = 0
    for life in Life.all {
      for seed in 1...2 as ClosedRange<UInt64> {
        let run = SourceRun(life, seed: seed, [.network])
        let changes = run.networks
        #expect(changes.first?.name == nil)
        // The true rests, as the sources report them: a planned one ends when the speed is
        // exceeded.
        for spell in run.whole where spell.kind == .resting {
          guard spell.ends - spell.begins >= 90 else { continue }
          let middle = spell.begins + (spell.ends - spell.begins) * 0.5
          guard let joined = changes.last(where: { $0.at <= middle }), joined.name != nil,
            joined.at >= spell.begins
          else { continue }
          joins += 1
          let delay = joined.at - spell.begins
          #expect(delay >= 9.9 && delay <= 60.1, "\(life.name): \(delay)")
          guard let lost = changes.first(where: { $0.at > joined.at }), spell.ends < run.end else {
            continue
          }
          #expect(lost.name == nil)
          let after = lost.at - spell.ends
          #expect(after >= 4.9 && after <= 30.1, "\(life.name): lost after \(after)")
        }
      }
    }
    #expect(joins > 150)
  }

  @Test("one vehicle of twenty carries a network") func vehicles() throws {
    var along = 0
    let seeds: ClosedRange<UInt64> = 1...150
    for seed in seeds {
      let run = try SourceRun(
        #require(Life.named("parcel-driver")), days: 1, seed: seed, [.network, .ignition])
      // Joined under way, on the van's longest leg.
      let way = try #require(
        run.whole.filter { $0.kind == .moving }.max {
          $0.ends - $0.begins < $1.ends - $1.begins
        })
      if network(run, at: way.ends - 1) != nil, way.ends - way.begins > 90 { along += 1 }
    }
    let share = Double(along) / Double(seeds.count)
    #expect((0.01...0.11).contains(share), "\(along)")
  }
}
