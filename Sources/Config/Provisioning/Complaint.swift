import Core

/// Something about the boot file that its owner should know: where it is, what is wrong, what to
/// do. Never with a value that may be a password.
public struct Complaint: Equatable, Sendable, CustomStringConvertible {
  /// A hostile file does not make the report unreadable.
  private static let maxLength = 500

  /// Of the boot file, counted from 1; nil: of the file as a whole.
  public let line: Int?
  public let text: String

  public init(line: Int? = nil, _ text: String) {
    self.line = line
    let safe = TerminalText.line(text)
    self.text = safe.count > Self.maxLength ? String(safe.prefix(Self.maxLength)) + "…" : safe
  }

  init(_ problem: SettingProblem) { self.init(line: problem.line, problem.message) }

  public var description: String { line.map { "line \($0): \(text)" } ?? text }
}
