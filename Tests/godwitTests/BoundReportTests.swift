import Foundation
import Core
import TestSupport
import Testing

/// `simulate --bound`: no schedule uses less energy than the lower bound.
@Suite struct BoundReportTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func json(_ arguments: [String]) throws -> JSONValue {
    let outcome = try Program.run(arguments + ["--json"])
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return try JSONValue(parsing: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  @Test(
    "no policy beats the clairvoyant bound",
    arguments: ["city-resident", "night-nurse", "parcel-driver", "sailor"], [3, 11])
  func noPolicyBeatsTheBound(life: String, seed: Int) throws {
    var least: Double?
    var policies = [
      ["adaptive", "motion"], ["adaptive", "none"], ["hybrid", "none"], ["periodic", "none"],
    ]
    if life == "city-resident", seed == 3 { policies.append(["continuous", "none"]) }
    for (number, policy) in policies.enumerated() {
      let run = try json(
        [
          "simulate", "--life", life, "--seed", "\(seed)", "--policy", policy[0], "--sources",
          policy[1], "--store", scratch.file("\(number).gpkg"),
        ] + (number == 0 ? ["--bound"] : []))
      let energy =
        try #require(run["gnss_energy_J"]?.number) + #require(run["sources_energy_J"]?.number)
      if number == 0 { least = run["bound_clairvoyant_J"]?.number }
      #expect(try energy > #require(least), "\(policy) on \(life), seed \(seed)")
    }
  }

  @Test("both bounds and the run's multiples of them are printed on request")
  func theReport() throws {
    func run(_ name: String, _ options: [String]) throws -> JSONValue {
      try json(["simulate", "--store", scratch.file("\(name).gpkg")] + options)
    }
    let without = try run("without", [])
    let with = try run("with", ["--bound"])
    let wide = try run("wide", ["--bound", "--set", "policy.adaptive.trajectory_error_m=400"])
    let energy =
      try #require(with["gnss_energy_J"]?.number) + #require(with["sources_energy_J"]?.number)
    for name in ["clairvoyant", "perfect_motion"] {
      #expect(without["bound_\(name)_J"] == nil)
      let bound = try #require(with["bound_\(name)_J"]?.number)
      let multiple = try #require(with["energy_per_bound_\(name)"]?.number)
      #expect(abs(energy / bound - multiple) < 0.001)
      #expect(try #require(wide["bound_\(name)_J"]?.number) < bound)
    }
    #expect(with["gnss_energy_J"] == without["gnss_energy_J"])
  }

  @Test("a trace has its bound too")
  func aTrace() throws {
    let rows = (0...1800).map { second -> String in
      let way = Double(max(0, min(second - 600, 600))) * 4e-5
      let time = ISO8601DateFormatter().string(
        from: Date(timeIntervalSince1970: 1_777_852_800 + Double(second)))
      return "\(time),\(52 + way),6.5,5"
    }
    let file = scratch.file("trace.csv")
    try Data((["time,lat,lon,hacc"] + rows).joined(separator: "\n").utf8)
      .write(to: URL(fileURLWithPath: file))
    let run = try json(["simulate", file, "--bound", "--store", scratch.file("trace.gpkg")])
    let bound = try #require(run["bound_clairvoyant_J"]?.number)
    #expect((1.5...5).contains(bound), "a cold start and some fixes, not \(bound) J")
  }
}
