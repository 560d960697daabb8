/// A settings or board file that has been read: its name for messages, and its bytes.
public struct SettingsFile: Sendable {
  public let name: String
  public let bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The origin of a setting's value, for `config show` and for messages.
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

/// One problem in the settings: its place, its description and the remedy.
public struct SettingProblem: Equatable, Sendable, CustomStringConvertible {
  public let source: String
  public let message: String
  /// The line in the source file.
  let line: Int?

  public init(source: String, message: String) {
    self.source = source
    self.message = message
    line = nil
  }

  public init(at origin: Origin, _ message: String) {
    source = origin.description
    self.message = message
    guard case .file(_, let number) = origin else {
      line = nil
      return
    }
    line = number
  }

  public var description: String { "\(source): \(message)" }
}

/// Unusable settings, with all of their problems.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  public let problems: [SettingProblem]

  public init(problems: [SettingProblem]) { self.problems = problems }

  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
