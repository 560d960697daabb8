import Core

/// An error in the boot file for its owner: the place, the fault and the remedy. Never contains a
/// value that may be a password.
public struct Diagnostic: Equatable, Sendable, CustomStringConvertible {
  /// Keeps the report readable for a hostile file.
  private static let maxLength = 500

  /// The line in the boot file, counted from 1; nil: it concerns the whole file.
  public let line: Int?
  public let text: String

  init(line: Int? = nil, _ text: String) {
    self.line = line
    let safe = TerminalText.line(text)
    self.text = safe.count > Self.maxLength ? String(safe.prefix(Self.maxLength)) + "…" : safe
  }

  init(_ problem: SettingProblem) { self.init(line: problem.line, problem.message) }

  public var description: String { line.map { "line \($0): \(text)" } ?? text }
}
