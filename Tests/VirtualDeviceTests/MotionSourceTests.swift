import Core
import Testing

@testable import VirtualDevice

@Suite struct MotionSourceTests {
  private static let lives = Life.all

  @Test("edges begin 1 to 5 s after a movement; one of fifty is missed for a minute")
  func beginnings() throws {
    var prompt = 0
    var late = 0
    for life in Self.lives {
      for seed in 1...3 as ClosedRange<UInt64> {
        let run = SourceRun(life, days: 3, seed: seed, [.motion])
        let edges = run.edges
        for spell in run.whole where spell.kind == .moving && spell.ends - spell.begins > 66 {
          // An edge shortly before keeps the line masked.
          if let last = edges.last(where: { $0 < spell.begins }), spell.begins - last < 16 {
            continue
          }
          let edge = try #require(first(of: edges, from: spell.begins))
          let delay = edge - spell.begins
          if delay <= 5 {
            #expect(delay >= 1)
            prompt += 1
          } else {
            #expect(delay >= 61 && delay <= 65, "\(life.name): \(delay)")
            late += 1
          }
        }
      }
    }
    let share = Double(late) / Double(prompt + late)
    #expect(prompt > 1200 && (0.01...0.03).contains(share), "\(late) of \(prompt + late)")
  }

  @Test("edges continue while it moves, and are never closer than the mask")
  func edgesGoOn() throws {
    for life in Self.lives {
      let run = SourceRun(life, days: 3, seed: 5, [.motion])
      let edges = run.edges
      for (edge, next) in zip(edges, edges.dropFirst()) { #expect(next - edge >= 9.99) }
      for spell in run.whole where spell.kind == .moving {
        let within = edges.filter { $0 > spell.begins + 66 && $0 < spell.ends }
        for (edge, next) in zip(within, within.dropFirst()) { #expect(next - edge <= 12.01) }
      }
    }
  }

  @Test("at rest there are 0.3 false edges an hour, afloat 20")
  func falseEdges() throws {
    func rate(_ names: [String], isAfloat: Bool) throws -> Double {
      var edges = 0
      var time: Seconds = 0
      for name in names {
        for seed in 1...3 as ClosedRange<UInt64> {
          let run = try SourceRun(#require(Life.named(name)), seed: seed, [.motion])
          let all = run.edges
          for spell in run.spells
          where spell.kind == .resting && spell.duration > 60 && spell.isAfloat == isAfloat {
            time += spell.duration
            edges += all.count { $0 >= spell.begins && $0 < spell.ends }
          }
        }
      }
      let hours: Double = time / Seconds.hours(1)
      return Double(edges) / hours
    }
    let ashore = try rate(["night-nurse", "pensioner", "commuter"], isAfloat: false)
    #expect((0.25...0.35).contains(ashore), "\(ashore)")
    // Two edges within the mask count as one.
    let afloat = try rate(["sailor"], isAfloat: true)
    #expect((18...20.5).contains(afloat), "\(afloat)")
  }
}
