import Foundation
import Core
import TestSupport
import Testing

@testable import godwit

/// Whole weeks with an energy budget.
@Suite struct EnergyBudgetRunTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func week(
    _ life: String, _ sources: String, budget: Double?, days: Int = 7
  ) throws -> JSONValue {
    let limit = budget.map { ["--set", "policy.adaptive.budget_J=\($0)"] } ?? []
    let outcome = try Program.run(
      [
        "simulate", "--life", life, "--days", "\(days)", "--seed", "5", "--policy", "adaptive",
        "--sources", sources, "--set", "power_switch.kind=virtual", "--set",
        "receiver.family=ubloxM8", "--json", "--store",
        scratch.file("\(life)-\(sources)-\(budget ?? 0)-\(days).gpkg"),
      ] + limit)
    #expect(outcome.exitCode == 0, "\(outcome.messages)")
    return try JSONValue(parsing: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private func energy(_ run: JSONValue) throws -> Double {
    try #require(run["gnss_energy_J"]?.number) + #require(run["sources_energy_J"]?.number)
  }

  @Test(
    "a week never costs more than its budget, and uses nearly all of one that is short",
    arguments: [("commuter", "none"), ("night-nurse", "motion"), ("sailor", "none")])
  func kept(life: String, sources: String) throws {
    let unlimited = try energy(week(life, sources, budget: nil)) / 7
    for share in [0.3, 0.6, 3] {
      let run = try week(life, sources, budget: unlimited * share)
      let spent = try energy(run) / 7
      #expect(spent <= unlimited * share, "\(share)")
      if share < 1 { #expect(spent > unlimited * share * 0.7, "\(share)") }
      // With every schedule the signal varies differently.
      if share > 1 { #expect(spent > unlimited * 0.7) }
      let budget = try #require(run["budget"])
      #expect(abs(try #require(budget["spent_week_J"]?.number) - spent * 7) < 0.01)
      let daily = try #require(budget["daily_J"]?.number)
      #expect(abs(try #require(budget["limit_week_J"]?.number) - daily * 7) < 0.01)
    }
  }

  @Test("the first day costs no more than a day's budget, even a very small one")
  func firstDay() throws {
    for budget in [6.0, 12, 40] {
      #expect(try energy(week("commuter", "motion", budget: budget, days: 1)) <= budget)
    }
  }

  @Test("without a budget none is reported")
  func none() throws {
    #expect(try week("sailor", "none", budget: nil, days: 1)["budget"] == .null)
  }

  @Test(
    "a contradictory or unattainable budget is refused with its figures",
    arguments: [
      (["budget_J=10", "budget_mAh=5"], "budget_J are both set"),
      (["budget_days=7"], "none is set"), (["budget_gauge=auto"], "set budget_J or budget_mAh"),
      (["budget_J=4"], "is 4.00 J a day, and the receiver draws 4.28 J a day"),
      (["budget_mAh=2", "budget_days=30"], "is 0.89 J a day"),
      (["budget_J=-1"], "out of range"),
      (["budget_J=nan"], "budget_J"),
    ])
  func refused(settings: [String], message: String) throws {
    let check = try Program.run(
      ["config", "check"] + settings.flatMap { ["--set", "policy.adaptive.\($0)"] })
    #expect(check.exitCode == 2)
    #expect(check.messages.contains(message), "\(check.messages)")
  }

  @Test("status reports the budget, the spending, and its effect")
  func status() {
    func text(_ isSpent: Bool) -> String {
      StatusCommand.text(
        .object([
          (
            "budget",
            .object([
              ("daily_J", .number(100)), ("spent_day_J", .number(80)),
              ("spent_week_J", .number(300)), ("limit_week_J", .number(400)),
              ("is_spent", .bool(isSpent)), ("rest_pause_s", .number(480)),
              ("trajectory_error_m", .number(200)),
            ])
          )
        ]))
    }
    let start = "100.0 J a day, 80.0 J in the last day, 300.0 of 400.0 J spent in seven days"
    #expect(
      text(false).contains(
        "budget     \(start), a fix attempt every 8 min at rest and a track within 200.0 m"))
    #expect(text(true).contains("\(start), no fix attempt until more energy is available"))
    #expect(!StatusCommand.text(.object([])).contains("budget"))
  }

  @Test("status reports the battery's level, its planned time, and why it is unknown")
  func battery() {
    func text(_ level: JSONValue, _ failure: JSONValue) -> String {
      let battery = JSONValue.object([
        ("level_percent", level), ("days_left", .number(12.5)), ("failure", failure),
      ])
      let budget = JSONValue.object([("daily_J", .number(50)), ("battery", battery)])
      return StatusCommand.text(.object([("budget", budget)]))
    }
    #expect(
      text(.number(62.5), .null).contains("50.0 J a day, battery at 62.5 % for 12.5 days"))
    #expect(text(.null, .string("no battery")).contains("50.0 J a day, no battery"))
  }
}
