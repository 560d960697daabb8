import Core

/// The expected search time after each low-power mode.
public struct RestartForecast: Hashable, Sendable {
  public var afterSleep: Seconds
  public var afterCut: Seconds

  public init(afterSleep: Seconds, afterCut: Seconds) {
    self.afterSleep = afterSleep
    self.afterCut = afterCut
  }
}

/// The low-power mode for a receiver that is not needed for a while: left on, asleep, or cut,
/// whichever costs the least energy until the next fix.
///
/// Each mode costs its power for the whole pause; sleep and cut also cost a search at the end. So
/// every pair of modes has a break-even pause: search energy over the difference in power.
public struct LowPowerDecision: Hashable, Sendable {
  public enum Choice: String, Sendable, CaseIterable { case leaveOn, sleep, cut }

  public var choice: Choice
  /// Energy of the chosen mode, from now until the next fix.
  public var cost: Joules
  /// The pause from which the chosen mode is cheaper than every shallower one; zero for leaving on.
  public var paysFrom: Seconds
  /// The pause from which a deeper mode would be cheaper, at the same forecast; nil: never.
  public var paysUntil: Seconds?
  /// One sentence for people, with the figures of all possible modes.
  public var reason: String

  /// - Parameters:
  ///   - canLeaveOn: it may stay on, and is tracking. If nothing else is possible, it stays on
  ///     anyway.
  ///   - canSleep: the receiver and its switch support a sleep command.
  ///   - canCut: its supply can be switched.
  public init(
    pause: Seconds, model: ReceiverEnergyModel, forecast: RestartForecast,
    canLeaveOn: Bool = true, canSleep: Bool, canCut: Bool
  ) {
    var ways: [Mode] = []
    if canLeaveOn || !(canSleep || canCut) {
      ways.append(Mode(.leaveOn, rest: model.tracking, search: 0, model))
    }
    if canSleep {
      ways.append(Mode(.sleep, rest: model.sleeping, search: forecast.afterSleep, model))
    }
    if canCut { ways.append(Mode(.cut, rest: model.off, search: forecast.afterCut, model)) }
    // At equal cost the shallower mode is chosen: the order above.
    var best = ways[0]
    for way in ways.dropFirst() where way.cost(pause) < best.cost(pause) { best = way }
    choice = best.choice
    cost = best.cost(pause)
    let gentler = ways.prefix { $0.choice != best.choice }
    paysFrom = gentler.compactMap(best.breakEven).max() ?? 0
    let harder = ways.suffix(from: gentler.count + 1)
    paysUntil = harder.compactMap { $0.breakEven(with: best) }.min()
    reason = ""
    reason = explanation(best, among: ways, pause: pause)
  }

  private func explanation(_ best: Mode, among ways: [Mode], pause: Seconds) -> String {
    let others = ways.filter { $0.choice != best.choice }
      .map { "\(Self.energy($0.cost(pause))) \($0.participle)" }
      .joined(separator: " and ")
    var text = "\(best.participle) for \(Self.number(pause.value)) s: \(Self.energy(cost))"
    if !others.isEmpty { text += " against \(others)" }
    switch (paysFrom, paysUntil) {
    case (0, nil): return text
    case (0, let until?): return text + "; pays up to \(Self.number(until.value)) s"
    case (_, nil): return text + "; pays from \(Self.number(paysFrom.value)) s on"
    case (_, let until?):
      let from = Self.number(paysFrom.value)
      return text + "; pays from \(from) s to \(Self.number(until.value)) s"
    }
  }

  private static func energy(_ energy: Joules) -> String {
    energy.magnitude < 0.1 ? "\(number(energy.value * 1000)) mJ" : "\(number(energy.value)) J"
  }

  private static func number(_ value: Double) -> String {
    FixedDecimal.text(value, digits: value.magnitude < 10 ? 2 : value.magnitude < 100 ? 1 : 0)
  }
}

/// One low-power mode with its costs.
private struct Mode {
  let choice: LowPowerDecision.Choice
  let restPower: Watts
  let searchEnergy: Joules

  init(
    _ choice: LowPowerDecision.Choice, rest: Amperes, search: Seconds, _ model: ReceiverEnergyModel
  ) {
    self.choice = choice
    restPower = rest * model.supply
    searchEnergy = model.acquiring * model.supply * search
  }

  func cost(_ pause: Seconds) -> Joules { restPower * pause + searchEnergy }

  /// The pause at which this mode costs as much as `other`, which has the smaller search energy and
  /// the higher power. Nil if this mode does not draw less.
  func breakEven(with other: Mode) -> Seconds? {
    let saved = other.restPower - restPower
    guard saved > 0 else { return nil }
    return Seconds(max(0, (searchEnergy - other.searchEnergy).value / saved.value))
  }

  var participle: String {
    switch choice {
    case .leaveOn: "left on"
    case .sleep: "asleep"
    case .cut: "cut off"
    }
  }
}
