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
}
