/// One thing that is wrong with the settings: where it stands, what it is, what to write instead.
public struct SettingProblem: Equatable, Sendable, CustomStringConvertible {
  public let place: String
  public let message: String

  public var description: String { "\(place): \(message)" }
}

/// Settings that cannot be used, with everything that is wrong with them.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  public let problems: [SettingProblem]

  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
