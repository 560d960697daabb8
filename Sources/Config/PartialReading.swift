import Core

/// What can be used of a settings file that has errors in it. For a file that counts at once,
/// without anybody there to mend it: what is wrong costs one setting, or one element of a list, and
/// is told.
///
/// Settings that contradict each other are all among the entries: which of them give way is for
/// whoever knows the boards.
public struct PartialReading<Root: SettingGroup>: Sendable {
  /// The defaults with the entries.
  public private(set) var settings = Root()
  /// In the order of the file.
  public private(set) var entries: [UnderstoodSetting] = []
  /// Nil: the file does not list any.
  public private(set) var boards: [BoardName]?
  public private(set) var problems: [SettingProblem] = []

  /// - Parameter file: its name, for the origins of what is wrong.
  public init(_ table: WrittenTable, file: String) {
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
      // What is left was accepted as part of the whole.
      guard (try? settings.set(assignment.key, rest)) != nil else { return }
    }
    guard let value = settings.value(of: assignment.key) else { return }
    entries.append(
      UnderstoodSetting(key: assignment.key, value: value, line: assignment.value.line))
  }

  /// One wrong name is not the others' fault.
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
  /// The list without its elements that are at fault; nil where that is not all that is wrong.
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
