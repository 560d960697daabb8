import ArgumentParser
import Config
import GodwitSettings
import Platform
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Where settings come from: shared by every command that needs them.
struct ConfigOptions: ParsableArguments {
  static let systemSettings = "/etc/godwit/godwit.toml"
  static let systemBoard = "/etc/godwit/board.toml"

  @Option(
    help: ArgumentHelp(
      "Settings file. Without it, \(systemSettings) if there is one.", valueName: "file"))
  var config: String?

  @Option(
    name: .customLong("board"),
    help: ArgumentHelp(
      """
      A board in use: its name, or the path of its file. May be repeated; replaces the settings \
      file's 'boards'. Without either, \(systemBoard) if there is one. \
      \(BoardFolders.variable) names another folder to search for names.
      """, valueName: "name|file"))
  var boards: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set one setting, overriding any file. May be repeated.", valueName: "section.key=value"))
  var assignments: [String] = []

  /// Merges all layers. Prints nothing; wrong settings end the command with exit code 2.
  func load() throws -> Configuration<Settings> {
    do {
      let settings = try settingsFile()
      return try Configuration(
        boards: try boardFiles(settings), settings: settings, assignments: assignments)
    } catch let error as SettingsError {
      throw CommandError.wrongUsage(error.description)
    }
  }

  private func settingsFile() throws -> SettingsFile? {
    if let config { return try Self.read(config, namedBy: "--config names the settings file") }
    return try Self.system(Self.systemSettings)
  }

  /// The options' boards, or the settings file's, or the board of the system.
  private func boardFiles(_ settings: SettingsFile?) throws -> [SettingsFile] {
    var named = settings.flatMap(BoardName.named)
    if !boards.isEmpty { named = try boards.map { try BoardName(option: $0) } }
    guard let named else { return try Self.system(Self.systemBoard).map { [$0] } ?? [] }
    let folders = BoardFolders(settings: config ?? Self.systemSettings)
    return try named.map {
      try Self.read(try folders.path(of: $0), namedBy: "\($0.origin) names it as a board")
    }
  }

  /// A system file is optional.
  private static func system(_ path: String) throws -> SettingsFile? {
    access(path, F_OK) == 0 ? try read(path, namedBy: "it is read when no other is named") : nil
  }

  private static func unreadable(_ path: String, _ naming: String) -> CommandError {
    .wrongUsage("\(path): \(SystemError.last.text); \(naming)")
  }

  /// Reads little more than the parser accepts, so that a huge file is refused instead of read. A
  /// pipe is accepted, but must not block the daemon for ever.
  ///
  /// - Parameter timeout: for the next bytes of a pipe.
  static func read(
    _ path: String, namedBy naming: String, timeout: Seconds = 5
  ) throws -> SettingsFile {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw unreadable(path, naming) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    var count = 0
    repeat {
      guard BootClock.wait(for: descriptor, until: BootClock.now + timeout) else {
        throw CommandError.wrongUsage("\(path): no data arrived from it; \(naming)")
      }
      count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 || errno == EINTR || errno == EAGAIN else { throw unreadable(path, naming) }
      bytes += chunk.prefix(max(count, 0))
    } while count != 0 && bytes.count <= TOMLParser.maxTextSize
    return SettingsFile(name: path, bytes: bytes)
  }
}
