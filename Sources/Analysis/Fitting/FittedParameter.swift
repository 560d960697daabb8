import Records
import Core

/// One parameter of a receiver's part file and its fitted result, in the unit of its key.
public struct FittedParameter: Sendable {
  /// Key in the section `gnss`.
  public let key: String
  /// The kind of observation: "segment" or "start".
  public let observation: String
  public let finding: Finding<SettingNumber>

  /// In the order of the settings.
  public static func all(of fit: ReceiverFit) -> [FittedParameter] {
    let currents = zip(
      ReceiverFit.states, ["acquiring_mA", "tracking_mA", "sleeping_mA", "off_mA"]
    ).map { state, key in
      FittedParameter(
        key: key, observation: "segment", finding: fit.current(in: state).converted(by: 1000))
    }
    let starts = zip(
      [StartKnowledge.cold, .warm, .hot], ["cold_start_s", "warm_start_s", "hot_start_s"]
    ).map { knowledge, key in
      FittedParameter(
        key: key, observation: "start", finding: fit.startTime(knowledge).converted(by: 1))
    }
    let slow = [
      FittedParameter(
        key: "slow_start_percent", observation: "start", finding: fit.slowStarts.percent),
      FittedParameter(
        key: "slow_start_s", observation: "start", finding: fit.slowStarts.time.converted(by: 1)),
    ]
    return currents + starts + slow
  }
}

/// The number of a setting, in the unit at the end of the setting's name.
public struct SettingNumber: Quantity {
  public var value: Double
  public init(_ value: Double) { self.value = value }
  public static let symbol = ""
}

extension Finding {
  fileprivate func converted(by factor: Double) -> Finding<SettingNumber> {
    func number(_ value: Value) -> SettingNumber { SettingNumber(value.value * factor) }
    switch self {
    case .determined(let of):
      return .determined(
        Estimate(
          value: number(of.value), low: number(of.low), high: number(of.high),
          scatter: number(of.scatter), systematic: number(of.systematic), count: of.count))
    case .atMost(let value, let reason): return .atMost(number(value), because: reason)
    case .undetermined(let reason): return .undetermined(because: reason)
    }
  }
}
