import Core

/// A fitted receiver as a board's part file, for `--board`.
public struct PartFile: Sendable {
  /// The name of the receiver, for people.
  var name: String
  /// The program, its input and the date, one line each.
  var provenance: [String]

  public init(name: String, provenance: [String]) {
    self.name = name
    self.provenance = provenance
  }

  /// Text in TOML. A parameter without a result is a comment, so that another part's figure or the
  /// default applies; one with a result replaces another part's.
  public func text(of fit: ReceiverFit) -> String {
    let parameters = FittedParameter.all(of: fit)
    var keys = parameters.filter { $0.finding.estimate != nil }.map(\.key)
    if fit.supply != nil { keys.insert("supply_V", at: 0) }
    var lines = ["# Receiver: \(name), as measured", "#"]
    lines += provenance.map { "# \(TerminalText.line($0))" }
    lines += [
      "#", "# Intervals are of 95 %. Values that are missing here come from the next part.",
    ]
    lines += ["replaces = [" + keys.map { "\"gnss.\($0)\"" }.joined(separator: ", ") + "]", ""]
    lines.append("[gnss]")
    if let supply = fit.supply {
      lines.append(
        "supply_V = \(FixedDecimal.text(supply.value, digits: 4))  # measured: energy over charge")
    }
    lines += parameters.map(Self.line)
    lines += ["", "# Times to the first fix, seconds:"]
    lines += fit.distributions.map { "# \($0.sentence)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ parameter: FittedParameter) -> String {
    switch parameter.finding {
    case .determined(let estimate):
      let text = EstimateText(estimate)
      return "\(parameter.key) = \(text.value)  # measured: \(text.interval), "
        + Counted.text(estimate.count, parameter.observation)
    case .atMost(let limit, let reason):
      return "# \(parameter.key): at most \(EstimateText.limit(limit)), \(reason)"
    case .undetermined(let reason): return "# \(parameter.key): not in the data: \(reason)"
    }
  }
}

/// The numbers of an estimate with their significant digits.
public struct EstimateText: Sendable {
  public let value: String
  /// `31.51 to 32.24`
  public let interval: String

  public init(_ of: Estimate<SettingNumber>) {
    let half: Double = ((of.high - of.low) * 0.5).value
    value = UncertainDecimal.value(of.value.value, uncertainty: half)
    interval =
      UncertainDecimal.value(of.low.value, uncertainty: half) + " to "
      + UncertainDecimal.value(of.high.value, uncertainty: half)
  }

  public static func limit(_ value: SettingNumber) -> String {
    UncertainDecimal.text(value.value, uncertainty: nil)
  }
}

extension StartDistribution {
  /// `open sky, 10 min to 30 min after the last fix: 8 starts, 2.0 / 3.0 / 4.0 (10 / 50 / 90 %),
  /// mean 3.1, longest 4.6`
  public var sentence: String {
    let quantiles = [0.1, 0.5, 0.9].map {
      FixedDecimal.text(times.value($0)?.value ?? 0, digits: 1)
    }
    let hot = hotShare.map { ", \(Int(($0 * 100).rounded())) % as fast as hot ones" }
    let reception = isOpenSky ? "open sky" : "obstructed or unknown sky"
    let starts = Counted.text(times.count, "start")
    let seconds = quantiles.joined(separator: " / ")
    let mean = FixedDecimal.text(times.mean?.value ?? 0, digits: 1)
    let longest = FixedDecimal.text(times.value(1)?.value ?? 0, digits: 1)
    return
      "\(reception), \(gapText): \(starts), \(seconds) (10 / 50 / 90 %), mean \(mean), longest "
      + "\(longest)\(hot ?? "")"
  }

  private var gapText: String {
    if let restart { return "\(restart.rawValue) start by command" }
    guard let gap else { return "time since the last fix unknown" }
    guard gap.upperBound < .days(1) else {
      return "\(gap.lowerBound.hoursAndMinutes) and more after the last fix"
    }
    return
      "\(gap.lowerBound.hoursAndMinutes) to \(gap.upperBound.hoursAndMinutes) after the last fix"
  }
}
