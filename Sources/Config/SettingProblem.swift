/// A settings or board file that somebody has read: its name for messages, and its bytes.
public struct SettingsFile: Sendable {
  public let name: String
  public let bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Where the value of a setting came from, so that `config show` and every complaint can say it.
public enum Origin: Hashable, Sendable, CustomStringConvertible {
  case builtIn
  case file(name: String, line: Int)
  case commandLine(option: String)

  public var description: String {
    switch self {
    case .builtIn: "built-in default"
    case .file(let name, let line): "\(name):\(line)"
    case .commandLine(let option): "option \(option)"
    }
  }

  /// Another line of the same file.
  func at(line: Int?) -> Origin {
    guard let line, case .file(let name, _) = self else { return self }
    return .file(name: name, line: line)
  }
}

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
