import Config
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// The folders in which a board's file is searched by name: FOLDER/NAME/board.toml.
struct BoardFolders {
  static let variable = "GODWIT_BOARDS"
  private static let usual = [
    "/etc/godwit/boards", "/usr/local/share/godwit/boards", "/usr/share/godwit/boards",
  ]

  /// The first folder that has the board wins.
  let folders: [String]
  /// The base of relative paths in a settings file.
  let settingsFolder: String
  /// Put before every path: the root of the system that the settings are for; empty for this one.
  private let root: String

  /// - Parameters:
  ///   - settings: path of the settings file.
  ///   - program: path of the program, without links.
  ///   - root: of the system that the settings are for; empty for this one.
  init(
    settings: String, program: String? = SystemFiles.target(ofLink: "/proc/self/exe"),
    root: String = ""
  ) {
    self.root = root
    settingsFolder = PathParts(settings).folder
    var folders = Self.installed(with: program) + [settingsFolder]
    if let development = getenv(Self.variable), development[0] != 0 {
      folders.insert(String(cString: development), at: 0)
    }
    self.folders = folders
  }

  /// An installation with its own PREFIX has its boards there: PREFIX/bin/godwit searches
  /// PREFIX/share, after the folders configured on this machine.
  private static func installed(with program: String?) -> [String] {
    guard let folder = program.map({ PathParts($0).folder }), PathParts(folder).name == "bin" else {
      return usual
    }
    let own = PathParts(folder).folder + "/share/godwit/boards"
    return usual.contains(own) ? usual : [usual[0], own] + usual.dropFirst()
  }

  /// The path of a board's file.
  func path(of board: BoardName) throws(SettingsError) -> String {
    if board.isPath {
      guard case .file = board.origin, !board.text.hasPrefix("/") else { return root + board.text }
      return "\(root)\(settingsFolder)/\(board.text)"
    }
    let candidates = folders.map { "\($0)/\(board.text)/board.toml" }
    if let path = candidates.first(where: { access(root + $0, F_OK) == 0 }) { return root + path }
    let nearest = NearestName.suggestion(for: board.text, among: known)
    let hint = nearest.map { " (did you mean \($0)?)" } ?? ""
    throw SettingsError(problems: [
      SettingProblem(
        at: board.origin,
        "there is no board '\(board.text)' in \(folders.joined(separator: ", "))\(hint); "
          + "\(Self.variable) names another folder, and a path (with a '/') any file")
    ])
  }

  /// Names of all boards in the folders.
  var known: [String] {
    folders.flatMap { folder in
      SystemFiles.names(in: root + folder).filter {
        !$0.hasPrefix(".") && access("\(root)\(folder)/\($0)/board.toml", F_OK) == 0
      }
    }.sorted()
  }
}
