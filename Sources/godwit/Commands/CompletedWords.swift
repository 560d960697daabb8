import ArgumentParser
import GodwitSettings
import Core

/// What a shell offers where a word of Godwit's own is expected.
enum CompletedWords {
  /// The names of boards; any other file is named by its path.
  static let boards = CompletionKind.custom { _, _, _ in
    BoardFolders(settings: ConfigOptions.systemSettings).known
  }

  static let assignments = CompletionKind.custom { _, _, word in assignments(after: word) }

  /// `section.key=` while the name is written, then each value of a setting that has a few.
  static func assignments(after word: String) -> [String] {
    let declared = DeclaredSettings(in: Settings())
    guard let end = word.firstIndex(of: "="), let setting = declared[String(word[..<end])] else {
      return declared.settings.map { "\($0.key)=" }
    }
    return values(of: setting).map { "\(setting.key)=\($0)" }
  }

  /// Those in quotes, as in `"serial", "gpsd" or "none"`; none for a number or a text.
  private static func values(of setting: Setting) -> [Substring] {
    guard setting.accepts.hasPrefix("\"") else { return [] }
    let parts = setting.accepts.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }
}
