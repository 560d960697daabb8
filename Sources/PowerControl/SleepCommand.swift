import ReceiverProtocols

/// Which command puts the receiver to sleep.
public enum SleepCommand: Hashable, Sendable, CaseIterable, RawRepresentable {
  /// What the receiver's family understands, the gentlest first.
  case auto
  case none
  /// Only this one.
  case only(SleepMethod)

  public static var allCases: [SleepCommand] {
    [.auto, .none] + SleepMethod.allCases.map(SleepCommand.only)
  }

  public init?(rawValue: String) {
    guard let match = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = match
  }

  public var rawValue: String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .only(let method): method.rawValue
    }
  }
}
