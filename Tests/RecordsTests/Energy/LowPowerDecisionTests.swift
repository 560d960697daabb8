import Records
import Core
import TestSupport
import Testing

@Suite struct LowPowerDecisionTests {
  /// 100 mW searching, 80 mW tracking, 2 mW asleep, 0.02 mW cut off.
  let model = ReceiverEnergyModel(
    supply: 2, acquiring: 0.05, tracking: 0.04, sleeping: 0.001, off: 0.000_01, coldStart: 30,
    warmStart: 20, hotStart: 2)
  /// 0.2 J to wake up, 3 J to start again after a power cut.
  let forecast = RestartForecast(afterSleep: 2, afterCut: 30)

  func decide(_ pause: Seconds, canSleep: Bool = true, canCut: Bool = true) -> LowPowerDecision {
    LowPowerDecision(
      pause: pause, model: model, forecast: forecast, canSleep: canSleep, canCut: canCut)
  }

  @Test("sleeping is chosen over leaving on from its break-even on")
  func sleepingBeatsLeavingOnAfterItsBreakEven() {
    // 0.2 J / (80 mW - 2 mW) = 2.564 s
    #expect(decide(2.5).choice == .leaveOn)
    let decision = decide(2.6)
    #expect(decision.choice == .sleep)
    #expect(abs(decision.paysFrom.value - 0.2 / 0.078) < 1e-9)
    // 2.8 J / (2 mW - 0.02 mW) = 1414 s
    #expect(abs((decision.paysUntil?.value ?? 0) - 2.8 / 0.001_98) < 1e-6)
  }

  @Test("cutting is chosen over sleeping from its break-even on")
  func cuttingBeatsSleepingAfterItsBreakEven() {
    #expect(decide(1414).choice == .sleep)
    let decision = decide(1415)
    #expect(decision.choice == .cut)
    #expect(abs(decision.cost.value - (3 + 0.000_02 * 1415)) < 1e-12)
    #expect(decision.paysUntil == nil)
  }

  @Test("only modes that the board supports are chosen")
  func withoutSleepCuttingCompetesWithLeavingOn() {
    // 3 J / (80 mW - 0.02 mW) = 37.51 s
    #expect(decide(37, canSleep: false).choice == .leaveOn)
    #expect(decide(38, canSleep: false).choice == .cut)
    #expect(decide(1e6, canCut: false).choice == .sleep)
    #expect(decide(1e6, canSleep: false, canCut: false).choice == .leaveOn)
  }

  @Test("at equal cost the gentler mode wins") func ofEqualCostsTheGentlerWayWins() {
    // A u-blox M8 with backup supply draws as little and starts as fast asleep as with its power
    // cut.
    let forecast = RestartForecast(afterSleep: 1, afterCut: 1)
    let decision = LowPowerDecision(
      pause: 600, model: .ubloxM8, forecast: forecast, canSleep: true, canCut: true)
    #expect(decision.choice == .sleep)
    // 32 mA × 3.3 V × 1 s + 15 µA × 3.3 V × 600 s
    #expect(abs(decision.cost.value - 0.1353) < 1e-9)
  }

  /// ATGM336H without a backup cell: 45 s to a fix after a power cut, 6 s after sleep at 20 µA; 42
  /// mA searching. 39 s × 42 mA / 20 µA = 81 900 s: nearly a day.
  @Test("cutting a receiver without backup pays only after a long time")
  func cuttingAReceiverWithoutBackupPaysOnlyAfterALongTime() {
    let model = ReceiverEnergyModel(
      supply: 3.3, acquiring: 0.042, tracking: 0.042, sleeping: 0.000_02, off: 0, coldStart: 45,
      warmStart: 35, hotStart: 6)
    let decision = LowPowerDecision(
      pause: .hours(8), model: model, forecast: .init(afterSleep: 6, afterCut: 45),
      canSleep: true, canCut: true)
    #expect(decision.choice == .sleep)
    #expect(abs((decision.paysUntil?.value ?? 0) - 81_900) < 1)
  }

  @Test("the reason names the cost of every choice and when the chosen one pays")
  func reasonNamesEveryFigure() {
    #expect(
      decide(1500).reason
        == "cut off for 1500 s: 3.03 J against 120 J left on and 3.20 J asleep; "
        + "pays from 1414 s on")
    #expect(
      decide(100).reason
        == "asleep for 100 s: 0.40 J against 8.00 J left on and 3.00 J cut off; "
        + "pays from 2.56 s to 1414 s")
    #expect(
      decide(2).reason
        == "left on for 2.00 s: 0.16 J against 0.20 J asleep and 3.00 J cut off; "
        + "pays up to 2.56 s")
    #expect(
      decide(2, canSleep: false, canCut: false).reason == "left on for 2.00 s: 0.16 J")
  }

  @Test("the chosen mode is always the cheapest") func choiceIsAlwaysTheCheapest() {
    for pause in stride(from: 0.0, to: 3000, by: 7) {
      let costs = [0.08 * pause, 0.2 + 0.002 * pause, 3 + 0.000_02 * pause]
      #expect(abs(decide(Seconds(pause)).cost.value - costs.min()!) < 1e-12)
    }
  }

  /// Whatever the figures, no other available mode would have cost less.
  @Test("no possible mode is cheaper than the chosen one", arguments: 0..<50)
  func noOpenWayIsCheaper(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      func amperes(_ most: Double) -> Amperes {
        Amperes(.random(in: 0...most, using: &random))
      }
      let model = ReceiverEnergyModel(
        supply: Volts(.random(in: 1...12, using: &random)), acquiring: amperes(0.1),
        tracking: amperes(0.1), sleeping: amperes(0.02), off: amperes(0.01), coldStart: 1,
        warmStart: 1, hotStart: 1)
      let forecast = RestartForecast(
        afterSleep: Seconds(.random(in: 0...100, using: &random)),
        afterCut: Seconds(.random(in: 0...200, using: &random)))
      let pause =
        Seconds(.random(in: 0...1, using: &random) < 0.5 ? 60 : 20_000)
        * .random(in: 0...1, using: &random)
      let open = (0..<3).map { _ in Bool.random(using: &random) }
      let decision = LowPowerDecision(
        pause: pause, model: model, forecast: forecast, canLeaveOn: open[0], canSleep: open[1],
        canCut: open[2])
      let search = model.acquiring * model.supply
      var costs: [LowPowerDecision.Choice: Joules] = [:]
      if open[0] || !(open[1] || open[2]) {
        costs[.leaveOn] = model.tracking * model.supply * pause
      }
      if open[1] {
        costs[.sleep] = model.sleeping * model.supply * pause + search * forecast.afterSleep
      }
      if open[2] { costs[.cut] = model.off * model.supply * pause + search * forecast.afterCut }
      let cheapest = costs.values.min() ?? 0
      #expect(decision.cost == costs[decision.choice])
      #expect(decision.cost <= cheapest)
    }
  }

  @Test("where leaving on is impossible the reason names the other modes only")
  func whereLeavingOnIsNotOpenTheReasonNamesTheOthersOnly() {
    let decision = LowPowerDecision(
      pause: 2, model: model, forecast: forecast, canLeaveOn: false, canSleep: true, canCut: true)
    #expect(
      decision.reason
        == "asleep for 2.00 s: 0.20 J against 3.00 J cut off; pays up to 1414 s")
    let only = LowPowerDecision(
      pause: 2, model: model, forecast: forecast, canLeaveOn: false, canSleep: false, canCut: true)
    #expect(only.reason == "cut off for 2.00 s: 3.00 J")
  }
}
