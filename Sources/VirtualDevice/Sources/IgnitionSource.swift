import Core
import Records

extension SourceKind {
  /// A pin reports its changes at no cost.
  public static let ignition = SourceKind("ignition") {
    IgnitionSource(from: $0.time, random: $0.random(5))
  }
}

/// The vehicle's supply: on when it sets off, off 5 to 60 s after its use.
struct IgnitionSource: SourceBehaviour {
  private var random: SeededRandom
  private var use = VehicleUse()
  /// Reported once, at the start.
  private var atStart: UTCInstant?
  private var lastReport: UTCInstant

  init(from start: UTCInstant, random: SeededRandom) {
    self.random = random
    atStart = start
    lastReport = start
  }

  mutating func follow(_ spell: TruthSegment) -> [SourceReport] {
    var reports: [SourceReport] = []
    if let start = atStart {
      atStart = nil
      reports.append(SourceReport(.ignition(isOn: false), at: start))
    }
    for change in use.follow(spell) {
      switch change {
      case .began(let moment, _): reports.append(report(true, at: moment))
      case .ended(let moment):
        reports.append(report(false, at: moment + Seconds(random.uniform(in: 5...60))))
      }
    }
    return reports
  }

  private mutating func report(_ isOn: Bool, at moment: UTCInstant) -> SourceReport {
    // Switched on again before the previous use was over: the reports stay in order.
    lastReport = max(moment, lastReport + 0.1)
    return SourceReport(.ignition(isOn: isOn), at: lastReport)
  }
}
