import ArgumentParser
import GodwitSettings
import Core

/// Completions for words of Godwit's own.
enum CompletedWords {
  /// The names of boards; any other board file is given by its path.
  static let boards = CompletionKind.custom { _, _, _ in
    BoardFolders(settings: ConfigOptions.systemSettings).known
  }

  static let assignments = CompletionKind.custom { _, _, word in assignments(after: word) }

  /// `section.key=` while the name is typed, then each value of a setting with a few fixed values.
  static func assignments(after word: String) -> [String] {
    let declared = DeclaredSettings(in: Settings())
    guard let end = word.firstIndex(of: "="), let setting = declared[String(word[..<end])] else {
      return declared.settings.map { "\($0.key)=" }
    }
    return values(of: setting).map { "\(setting.key)=\($0)" }
  }

  /// The values in quotes, as in `"serial", "gpsd" or "none"`; none for a number or a text.
  private static func values(of setting: Setting) -> [Substring] {
    guard setting.accepts.hasPrefix("\"") else { return [] }
    let parts = setting.accepts.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }
}
