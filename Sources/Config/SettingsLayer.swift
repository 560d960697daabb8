import Core

/// A settings file lists boards; a board file declares which of its values replace those of others.
enum SettingsRole {
  case board, settings

  /// The key before the first section.
  var key: String {
    switch self {
    case .board: "replaces"
    case .settings: "boards"
    }
  }
}

/// The content of one file or of the command line, before it is merged with the others.
struct SettingsLayer {
  /// A value for a setting; its validity is checked when it is applied.
  struct Assignment {
    let key: String
    let value: WrittenValue
    let origin: Origin

    /// Why the setting rejects it.
    func problems(_ mismatch: SettingMismatch) -> [SettingProblem] {
      mismatch.faults.map {
        SettingProblem(at: origin.at(line: $0.line), "\(key)\($0.path) \($0.reason)")
      }
    }
  }

  private let declared: DeclaredSettings
  private(set) var assignments: [Assignment] = []
  /// Keys of a board file whose values override those of other board files.
  private(set) var replaced: Set<String> = []
  /// Whether the whole file could be read.
  private(set) var isWhole = true

  init(
    _ file: SettingsFile, role: SettingsRole, _ declared: DeclaredSettings,
    _ problems: inout [SettingProblem]
  ) {
    self.declared = declared
    let reading = TOMLReading(file.bytes, file: file.name)
    isWhole = reading.errors.isEmpty
    problems += syntaxProblems(reading.errors, file)
    var table = reading.table
    let composition = table.remove(role.key)
    read(table, path: "", file: file.name, &problems)
    guard let composition else { return }
    switch role {
    case .settings: check(boards: composition, file: file.name, &problems)
    // Otherwise it may name a setting on an unreadable line.
    case .board: if isWhole { read(replaced: composition, file: file.name, &problems) }
    }
  }

  /// The sections of a settings file, without the part before them.
  init(
    sections: WrittenTable, file: String, _ declared: DeclaredSettings,
    _ problems: inout [SettingProblem]
  ) {
    self.declared = declared
    read(sections, path: "", file: file, &problems)
  }

  /// - Parameter options: `section.key=value`, as given with `--set`.
  init(options: [String], _ declared: DeclaredSettings, _ problems: inout [SettingProblem]) {
    self.declared = declared
    for option in options { read(option: option, &problems) }
  }

  /// A longer line is not searched for the names of secrets, which takes time: it may contain one.
  private static let longestSearched = 1000

  /// The unexpected text is left out, because it may be part of a secret.
  private func syntaxProblems(_ errors: [TOMLError], _ file: SettingsFile) -> [SettingProblem] {
    guard !errors.isEmpty else { return [] }
    let secrets = declared.settings.filter(\.isSecret).map { Array($0.name.utf8) }
    let lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return errors.map { error in
      let line = lines[error.statement - 1]
      let mayBeSecret =
        line.count > Self.longestSearched || secrets.contains(where: line.contains)
      let found = mayBeSecret ? "" : "found \(error.found), "
      return SettingProblem(
        source: "\(error.file):\(error.line):\(error.column)",
        message: "\(found)expected \(error.expected)")
    }
  }

  private mutating func read(
    _ table: WrittenTable, path: String, file: String, _ problems: inout [SettingProblem]
  ) {
    for name in table.keys {
      guard let value = table[name] else { continue }
      let key = path.isEmpty ? name : "\(path).\(name)"
      let origin = Origin.file(name: file, line: value.line)
      if declared[key] != nil {
        assignments.append(Assignment(key: key, value: value, origin: origin))
      } else if declared.sections.contains(where: { $0.name == key }) {
        guard case .table(let inner) = value.content else {
          let message = "\(key) is \(value.kind), but must be a section: write [\(key)]"
          problems.append(SettingProblem(at: origin, message))
          continue
        }
        read(inner, path: key, file: file, &problems)
      } else {
        problems.append(unknown(key, at: origin))
      }
    }
  }

  private mutating func read(option: String, _ problems: inout [SettingProblem]) {
    let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let setting = declared[String(parts[0])]
    // A misspelled name may be that of a secret.
    let isPublic = setting.map { !$0.isSecret } ?? (parts.count == 1)
    let origin = Origin.commandLine(
      option: isPublic ? "--set \(option)" : "--set \(parts[0])=\(Setting.redacted)")
    guard parts.count == 2 else {
      let message = "write --set section.key=value"
      problems.append(SettingProblem(source: origin.description, message: message))
      return
    }
    let key = String(parts[0])
    guard setting != nil else {
      problems.append(unknown(key, at: origin))
      return
    }
    let text = String(parts[1])
    // Anything that is not a TOML value counts as an unquoted string, because quotes are difficult
    // to type in shells.
    let value =
      (try? TOMLParser.parseValue(text, file: "--set")) ?? WrittenValue(.string(text), line: 1)
    assignments.append(Assignment(key: key, value: value, origin: origin))
  }

  private func check(boards value: WrittenValue, file: String, _ problems: inout [SettingProblem]) {
    do throws(BoardName.Mismatch) {
      _ = try BoardName.read(value, file: file)
    } catch {
      let source = Origin.file(name: file, line: value.line).description
      problems.append(SettingProblem(source: source, message: "boards: \(error.reason)"))
    }
  }

  private mutating func read(
    replaced value: WrittenValue, file: String, _ problems: inout [SettingProblem]
  ) {
    let source = Origin.file(name: file, line: value.line).description
    guard case .array(let elements) = value.content else {
      let message = "replaces is \(value.kind); expected settings in brackets"
      return problems.append(SettingProblem(source: source, message: message))
    }
    for element in elements {
      guard case .string(let key) = element.content,
        assignments.contains(where: { $0.key == key })
      else {
        let message = "replaces: every element must be a setting, in quotes, that this file sets"
        problems.append(SettingProblem(source: source, message: message))
        continue
      }
      replaced.insert(key)
    }
  }

  private func unknown(_ key: String, at origin: Origin) -> SettingProblem {
    for (name, owner) in [
      (SettingsRole.settings.key, "the settings file"), (SettingsRole.board.key, "a board file"),
    ]
    where key == name || key.hasSuffix(".\(name)") {
      let message = "\(name) belongs to \(owner), before its first section"
      return SettingProblem(at: origin, message)
    }
    let sections = declared.sections.map(\.name)
    let keys = declared.settings.map(\.key)
    let fields = declared.sections.flatMap { section in
      (section.fields ?? []).map { "\(section.name).\($0.name)" }
    }
    let hint =
      NearestName.suggestion(for: key, among: keys + sections + fields)
      .map { "did you mean \($0)?" } ?? "godwit config default lists all settings"
    return SettingProblem(at: origin, "there is no setting \(key); \(hint)")
  }
}
