import Core

/// The available boards, by name.
public struct BoardLibrary {
  /// Returns the board file with that name; throws if there is none.
  let file: (BoardName) throws(SettingsError) -> SettingsFile
  /// The board file that applies if the settings name no boards.
  let usual: SettingsFile?

  public init(
    usual: SettingsFile?, file: @escaping (BoardName) throws(SettingsError) -> SettingsFile
  ) {
    self.usual = usual
    self.file = file
  }
}

/// A combination of settings and boards that the daemon accepts. Incompatible ones are left out and
/// reported.
struct ResolvedSettings<Root: SettingGroup> {
  typealias Entry = ValidSetting

  private struct Board {
    let name: BoardName
    let file: SettingsFile
  }

  /// The path of the written file, as the daemon names it.
  static var file: String { "/etc/godwit/godwit.toml" }

  private(set) var settings = Root()
  private(set) var entries: [Entry]
  private(set) var diagnostics: [Diagnostic] = []
  private var boards: [Board] = []
  /// Whether an empty list of boards has to be written: without a list, the usual board applies.
  private var isListed: Bool
  private let library: BoardLibrary
  private let head: String
  private let secrets: Set<String>

  /// - Parameters:
  ///   - head: comments at the beginning of the file.
  ///   - secrets: settings whose values are not shown.
  init(
    _ entries: [Entry], boards named: [BoardName]?, library: BoardLibrary, head: String,
    secrets: Set<String>
  ) {
    self.entries = entries
    self.library = library
    self.head = head
    self.secrets = secrets
    isListed = named?.isEmpty == true
    for name in named ?? [] {
      do throws(SettingsError) {
        boards.append(Board(name: name, file: try library.file(name)))
      } catch {
        diagnostics += error.problems.map { Diagnostic($0) }
      }
    }
    resolve()
  }

  var boardNames: [String] { boards.map(\.name.text) }

  /// The settings file for the daemon.
  var text: String { text(entries, boards) }

  /// The entry's value for people.
  func displayText(_ entry: Entry) -> String {
    secrets.contains(entry.key) ? Setting.redacted : entry.value.toml
  }

  private func text(_ entries: [Entry], _ boards: [Board]) -> String {
    var text = head
    if isListed || !boards.isEmpty {
      text += "boards = \(SettingValue.texts(boards.map(\.name.text)).toml)\n"
    }
    for entry in entries { text += "\(entry.key) = \(entry.value.toml)  # line \(entry.line)\n" }
    return text
  }

  /// The daemon's result for these entries and boards.
  private func outcome(
    _ entries: [Entry], _ boards: [Board]
  ) -> Result<Configuration<Root>, SettingsError> {
    let usual = isListed || !boards.isEmpty ? nil : library.usual
    let bytes = Array(text(entries, boards).utf8)
    let files = boards.map(\.file) + [usual].compactMap { $0 }
    return Result { () throws(SettingsError) in
      try Configuration(boards: files, settings: SettingsFile(name: Self.file, bytes: bytes))
    }
  }

  private func problems(_ entries: [Entry], _ boards: [Board]) -> [SettingProblem] {
    guard case .failure(let error) = outcome(entries, boards) else { return [] }
    return error.problems
  }

  /// Every round removes one part, so that the loop ends; the built-in defaults alone are valid.
  private mutating func resolve() {
    while true {
      switch outcome(entries, boards) {
      case .success(let configuration):
        settings = configuration.settings
        return
      case .failure(let error):
        guard let problem = error.problems.first,
          removeConflicting(problem, among: error.problems.count)
        else { return }
      }
    }
  }

  /// - Returns: false if nothing is left to remove.
  private mutating func removeConflicting(_ problem: SettingProblem, among count: Int) -> Bool {
    guard let named = entry(of: problem) else { return removeCause(of: problem, among: count) }
    let entry = entries.remove(at: named)
    let why = problem.message.replacing(entry.value.toml, with: displayText(entry))
    diagnostics.append(Diagnostic(line: entry.line, "\(why); it is not used"))
    return true
  }

  /// The setting on the line of the problem.
  private func entry(of problem: SettingProblem) -> Int? {
    guard let line = problem.line, problem.source == "\(Self.file):\(line)" else { return nil }
    let first = text.split(separator: "\n", omittingEmptySubsequences: false).count - entries.count
    let index = line - first
    return entries.indices.contains(index) ? index : nil
  }

  /// For a problem in a board file: removes the setting, or the board, whose removal leaves the
  /// fewest problems; among equal ones, the last.
  ///
  /// - Returns: false if nothing is left to remove.
  private mutating func removeCause(of problem: SettingProblem, among count: Int) -> Bool {
    var best: (remove: (inout Self) -> Void, left: Int)?
    for index in entries.indices.reversed() {
      var fewer = entries
      fewer.remove(at: index)
      let left = problems(fewer, boards).count
      if left < best?.left ?? count { best = ({ $0.give(up: index, for: problem) }, left) }
    }
    for index in boards.indices.reversed() {
      var fewer = boards
      fewer.remove(at: index)
      let left = problems(entries, fewer).count
      if left < best?.left ?? count { best = ({ $0.give(upBoard: index, for: problem) }, left) }
    }
    if !isListed, boards.isEmpty {
      var withoutUsual = self
      withoutUsual.isListed = true
      let left = withoutUsual.problems(entries, boards).count
      if left < best?.left ?? count { best = ({ $0.giveUpUsualBoard(for: problem) }, left) }
    }
    if let best {
      best.remove(&self)
    } else if let last = boards.indices.last {
      give(upBoard: last, for: problem)
    } else if let last = entries.indices.last {
      give(up: last, for: problem)
    } else if !isListed {
      giveUpUsualBoard(for: problem)
    } else {
      return false
    }
    return true
  }

  private mutating func giveUpUsualBoard(for problem: SettingProblem) {
    isListed = true
    diagnostics.append(Diagnostic("The image's own board file is not used: \(problem)"))
  }

  private mutating func give(up index: Int, for problem: SettingProblem) {
    let entry = entries.remove(at: index)
    diagnostics.append(
      Diagnostic(
        line: entry.line, "\(entry.key) is incompatible with the board and is not used: \(problem)")
    )
  }

  private mutating func give(upBoard index: Int, for problem: SettingProblem) {
    let board = boards.remove(at: index)
    let line: Int? = if case .file(_, let line) = board.name.origin { line } else { nil }
    diagnostics.append(
      Diagnostic(line: line, "the board \(board.name.text) is not used: \(problem)"))
  }
}
