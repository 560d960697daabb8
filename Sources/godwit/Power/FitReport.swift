import Analysis
import Core

/// The result of a fit, for people and for programs.
struct FitReport {
  private let fit: ReceiverFit
  private let parameters: [FittedParameter]
  /// The path of the part file.
  private let written: String?

  init(_ fit: ReceiverFit, written: String?) {
    self.fit = fit
    self.written = written
    parameters = FittedParameter.all(of: fit)
  }

  // MARK: Text

  var text: String {
    let head = ["PARAMETER", "VALUE", "95 % INTERVAL", "±", "SCATTER", "BASED ON"]
    let rows = parameters.map(Self.row)
    let table = TextTable([
      .init(), .init(side: .right), .init(), .init(side: .right), .init(side: .right), .init(),
    ]).fitted(to: [head] + rows.map { $0.count > 3 ? $0 : Array($0.prefix(2)) })
    var lines = [table.line(head)] + rows.map(table.line)
    if let supply = fit.supply {
      lines.append("supply_V  \(FixedDecimal.text(supply.value, digits: 4)), as measured")
    }
    lines += ["", "Times to the first fix, seconds:"] + fit.distributions.map(\.sentence)
    lines += ["", FitReport.notSimulated]
    lines += fit.leftOut.map { "left out: \(Counted.text($0.count, "segment")), \($0.reason)" }
    lines += fit.notices.map(Self.sentence)
    lines.append(
      written.map { "\($0) is written: name it with --board beside the receiver's own part" }
        ?? "nothing was written: --out FILE writes the part file")
    return lines.joined(separator: "\n")
  }

  /// The costs of a start besides the current of the search, and the expiry of ephemeris.
  static let notSimulated =
    "The data do not show the inrush of a start: a store has the mean current of each state. "
    + "'simulate' has no inrush, and its rules for collecting and losing ephemeris come from "
    + "documents; the times above show how well the receiver follows them."

  private static func row(_ of: FittedParameter) -> [String] {
    switch of.finding {
    case .determined(let estimate):
      let text = EstimateText(estimate)
      return [
        of.key, text.value, text.interval, perCent(estimate.relativeHalfWidth),
        perCent(estimate.scatter / estimate.value),
        Counted.text(estimate.count, of.observation),
      ]
    case .atMost(let limit, let reason):
      return [of.key, "-", "at most \(EstimateText.limit(limit)): \(reason)"]
    case .undetermined(let reason): return [of.key, "-", "not in the data: \(reason)"]
    }
  }

  private static func perCent(_ share: Double) -> String {
    FixedDecimal.text(share * 100, digits: 1) + " %"
  }

  private static func sentence(_ notice: FitNotice) -> String {
    switch notice {
    case .jump(let state, let since, let share):
      return "check: since \(ISO8601.text(since, digits: 0)) the current while "
        + "\(state.rawValue) is \(FixedDecimal.text(share * 100, digits: 0)) % "
        + "different; if board, shunt or settings changed then, leave out one part with "
        + "--from or --to"
    case .clockSteps(let count):
      return "check: the clock was set in or before \(Counted.text(count, "session")); "
        + "the receiver's navigation data at these starts are unknown"
    case .slowStarts(let knowledge, let count, let all, let mean):
      let seconds = FixedDecimal.text(mean.value, digits: 1)
      return "check: \(count) of \(all) \(knowledge.rawValue) starts under open sky took at least "
        + "2.5 times the median, \(seconds) s on average, and are left out of all figures"
    }
  }

  // MARK: JSON

  /// Keys are stable.
  var json: JSONValue {
    .object([
      ("parameters", .array(parameters.map(Self.json))),
      ("supply_V", .rounded(fit.supply?.value, digits: 4)),
      ("times_to_first_fix", .array(fit.distributions.map(Self.json))),
      ("segments", .count(fit.segmentCount)), ("starts", .count(fit.startCount)),
      (
        "left_out",
        .array(
          fit.leftOut.map {
            .object([("segments", .count($0.count)), ("reason", .string($0.reason))])
          })
      ),
      ("notices", .array(fit.notices.map { .string(Self.sentence($0)) })),
      ("not_simulated", .string(Self.notSimulated)), ("written", .text(written)),
    ])
  }

  private static func json(_ of: FittedParameter) -> JSONValue {
    func number(_ value: SettingNumber) -> JSONValue { .rounded(value.value, digits: 6) }
    let key = ("key", JSONValue.string("gnss.\(of.key)"))
    switch of.finding {
    case .determined(let estimate):
      return .object([
        key, ("value", number(estimate.value)), ("low", number(estimate.low)),
        ("high", number(estimate.high)), ("scatter", number(estimate.scatter)),
        ("systematic_uncertainty", number(estimate.systematic)),
        ("\(of.observation)s", .count(estimate.count)),
      ])
    case .atMost(let limit, let reason):
      return .object([key, ("at_most", number(limit)), ("reason", .string(reason))])
    case .undetermined(let reason): return .object([key, ("reason", .string(reason))])
    }
  }

  private static func json(_ of: StartDistribution) -> JSONValue {
    func quantile(_ share: Double) -> JSONValue {
      .rounded(of.times.value(share)?.value, digits: 3)
    }
    return .object([
      ("restart", .text(of.restart?.rawValue)),
      ("gap_from_s", .rounded(of.gap?.lowerBound.value, digits: 0)),
      ("gap_below_s", .rounded(of.gap?.upperBound.value, digits: 0)),
      ("open_sky", .bool(of.isOpenSky)), ("starts", .count(of.times.count)),
      ("p10_s", quantile(0.1)), ("p50_s", quantile(0.5)), ("p90_s", quantile(0.9)),
      ("mean_s", .rounded(of.times.mean?.value, digits: 3)), ("longest_s", quantile(1)),
      ("hot_share", .rounded(of.hotShare, digits: 3)),
    ])
  }
}
