import Config
import Notation
import Platform
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// Where the file of a board is looked up by the board's name: FOLDER/NAME/board.toml.
struct BoardFolders {
  static let variable = "GODWIT_BOARDS"
  static let installed = [
    "/etc/godwit/boards", "/usr/local/share/godwit/boards", "/usr/share/godwit/boards",
  ]

  /// The first that has the board wins.
  let folders: [String]
  /// Where the paths of a settings file start.
  let settingsFolder: String

  /// - Parameter settings: path of the settings file.
  init(settings: String) {
    settingsFolder = PathParts(settings).folder
    var folders = Self.installed + [settingsFolder]
    if let development = getenv(Self.variable), development[0] != 0 {
      folders.insert(String(cString: development), at: 0)
    }
    self.folders = folders
  }

  /// The path of a board's file.
  func path(of board: BoardName) throws(CommandError) -> String {
    if board.isPath {
      guard case .file = board.origin, !board.text.hasPrefix("/") else { return board.text }
      return "\(settingsFolder)/\(board.text)"
    }
    let candidates = folders.map { "\($0)/\(board.text)/board.toml" }
    if let path = candidates.first(where: { access($0, F_OK) == 0 }) { return path }
    let nearest = NearestName.suggestion(for: board.text, among: known)
    let hint = nearest.map { " (did you mean \($0)?)" } ?? ""
    throw .wrongUsage(
      "\(board.origin): there is no board '\(board.text)' in \(folders.joined(separator: ", "))"
        + "\(hint); \(Self.variable) names one more folder, and a path (with a '/') any file")
  }

  /// Names of all boards in the folders.
  private var known: [String] {
    folders.flatMap { folder in
      SystemFiles.names(in: folder).filter {
        !$0.hasPrefix(".") && access("\(folder)/\($0)/board.toml", F_OK) == 0
      }
    }.sorted()
  }
}
