import Core

/// The usable part of a settings file with errors, for a file that takes effect at once, without a
/// user to correct it. An error costs one setting, or one element of a list, and is reported.
///
/// Settings that contradict each other are all in the entries: resolving them requires the boards.
struct PartialReading<Root: SettingGroup>: Sendable {
  /// The defaults, overridden by the entries.
  private(set) var settings = Root()
  /// In the order of the file.
  private(set) var entries: [ValidSetting] = []
  /// Nil: the file has no list of boards.
  private(set) var boards: [BoardName]?
  private(set) var problems: [SettingProblem] = []

  /// - Parameter file: its name, for the origins of problems.
  init(_ table: WrittenTable, file: String) {
    var table = table
    let boards = table.remove(SettingsRole.settings.key)
    let declared = DeclaredSettings(in: Root())
    let layer = SettingsLayer(sections: table, file: file, declared, &problems)
    if let boards { read(boards: boards, file: file) }
    for assignment in layer.assignments { set(assignment) }
  }

  private mutating func set(_ assignment: SettingsLayer.Assignment) {
    do throws(SettingMismatch) {
      try settings.set(assignment.key, assignment.value)
    } catch {
      problems += assignment.problems(error)
      guard let rest = assignment.value.without(error.faults) else { return }
      // The rest has already been accepted as a part of the whole.
      guard (try? settings.set(assignment.key, rest)) != nil else { return }
    }
    guard let value = settings.value(of: assignment.key) else { return }
    entries.append(
      ValidSetting(key: assignment.key, value: value, line: assignment.value.line))
  }

  /// An invalid name does not affect the others.
  private mutating func read(boards value: WrittenValue, file: String) {
    guard case .array(let elements) = value.content, elements.count <= BoardName.maxCount else {
      note(boards: value, file: file)
      return
    }
    var names: [BoardName] = []
    for element in elements {
      let alone = WrittenValue(.array([element]), line: element.line)
      names += note(boards: alone, file: file)
    }
    boards = names
  }

  @discardableResult
  private mutating func note(boards value: WrittenValue, file: String) -> [BoardName] {
    do throws(BoardName.Mismatch) {
      return try BoardName.read(value, file: file)
    } catch {
      problems.append(
        SettingProblem(
          at: .file(name: file, line: value.line), "\(SettingsRole.settings.key): \(error.reason)"))
      return []
    }
  }
}

extension WrittenValue {
  /// The list without its faulty elements; nil if other parts are faulty, too.
  fileprivate func without(_ faults: [SettingMismatch.Fault]) -> WrittenValue? {
    guard case .array(let elements) = content else { return nil }
    var wrong: Set<Int> = []
    for fault in faults {
      guard let element = fault.element else { return nil }
      wrong.insert(element)
    }
    let rest = elements.indices.filter { !wrong.contains($0) }.map { elements[$0] }
    return WrittenValue(.array(rest), line: line)
  }
}
