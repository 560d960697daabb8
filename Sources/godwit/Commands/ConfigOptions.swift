import ArgumentParser
import Config
import GodwitSettings
import Platform
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The sources of the settings, shared by all commands that need them.
struct ConfigOptions: ParsableArguments {
  static let systemSettings = "/etc/godwit/godwit.toml"
  static let systemBoard = "/etc/godwit/board.toml"

  @Option(
    help: ArgumentHelp(
      "Settings file. Default: \(systemSettings), if it exists.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    name: .customLong("board"),
    help: ArgumentHelp(
      """
      Board in use: its name, or the path of its file. May be repeated; replaces 'boards' of the \
      settings file. Default without either: \(systemBoard), if it exists. \
      \(BoardFolders.variable) names another folder to search for boards.
      """, valueName: "name|file"), completion: CompletedWords.boards)
  var boards: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set one setting, overriding any file. May be repeated.", valueName: "section.key=value"),
    completion: CompletedWords.assignments)
  var assignments: [String] = []

  /// The same options as command-line arguments.
  var words: [String] {
    (config.map { ["--config", $0] } ?? []) + boards.flatMap { ["--board", $0] }
      + assignments.flatMap { ["--set", $0] }
  }

  /// Merges all layers. Prints nothing; invalid settings end the command with exit code 2.
  func load() throws -> Configuration<Settings> { try loadWithFiles().configuration }

  /// Also returns the names of the files that were read, in order of precedence.
  func loadWithFiles() throws -> (configuration: Configuration<Settings>, files: [String]) {
    do throws(SettingsError) {
      let settings = try settingsFile()
      var faults: [SettingProblem] = []
      let boards = try boardFiles(settings, &faults)
      let configuration = try Configuration<Settings>(
        boards: boards, settings: settings, assignments: assignments, faults: faults)
      return (configuration, (boards + [settings].compactMap { $0 }).map(\.name))
    } catch {
      throw CommandError.wrongUsage(error.description)
    }
  }

  /// The path of the settings file, which need not exist.
  var file: String { config ?? Self.systemSettings }

  private func settingsFile() throws(SettingsError) -> SettingsFile? {
    if let config { return try Self.read(config, namedBy: "--config names the settings file") }
    return try Self.system(Self.systemSettings)
  }

  /// The options' boards, or the settings file's, or the board of the system.
  ///
  /// - Parameter faults: receives missing boards, because these do not hide other errors.
  private func boardFiles(
    _ settings: SettingsFile?, _ faults: inout [SettingProblem]
  ) throws(SettingsError) -> [SettingsFile] {
    guard !boards.isEmpty || settings.flatMap(BoardName.named) != nil else {
      return try Self.system(Self.systemBoard).map { [$0] } ?? []
    }
    let folders = BoardFolders(settings: file)
    var files: [SettingsFile] = []
    func add(_ name: () throws(SettingsError) -> BoardName) {
      do throws(SettingsError) {
        let name = try name()
        files.append(
          try Self.read(
            try folders.path(of: name), namedBy: "\(name.origin) names it as a board"))
      } catch {
        faults += error.problems
      }
    }
    for board in boards { add { () throws(SettingsError) in try BoardName(option: board) } }
    guard boards.isEmpty, let named = settings.flatMap(BoardName.named) else { return files }
    for board in named { add { board } }
    return files
  }

  /// A system file is optional.
  private static func system(_ path: String) throws(SettingsError) -> SettingsFile? {
    access(path, F_OK) == 0 ? try read(path, namedBy: "it is read when no other is named") : nil
  }

  private static func unusable(
    _ path: String, _ why: String, _ naming: String
  ) -> SettingsError {
    SettingsError(problems: [SettingProblem(source: path, message: "\(why); \(naming)")])
  }

  /// Reads little more than the parser accepts, so that a huge file is rejected instead of read. A
  /// pipe is accepted, but must not block the daemon forever.
  ///
  /// - Parameter timeout: for the end of a pipe.
  static func read(
    _ path: String, namedBy naming: String, timeout: Seconds = 5
  ) throws(SettingsError) -> SettingsFile {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unusable(path, SystemError.last.text, naming) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    var count = 0
    let deadline = BootClock.now + timeout
    repeat {
      guard BootClock.wait(for: descriptor, until: deadline) else {
        throw unusable(path, "it did not end within \(Int(timeout.value)) s", naming)
      }
      count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 || errno == EINTR || errno == EAGAIN else {
        throw unusable(path, SystemError.last.text, naming)
      }
      bytes += chunk.prefix(max(count, 0))
    } while count != 0 && bytes.count <= TOMLParser.maxTextSize
    return SettingsFile(name: path, bytes: bytes)
  }
}
