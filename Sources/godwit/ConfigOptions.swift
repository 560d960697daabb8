import ArgumentParser
import Config

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
    help: ArgumentHelp(
      "Board file: what is wired how. Without it, \(systemBoard) if there is one.",
      valueName: "file"))
  var board: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Sets one setting, stronger than any file. May be repeated.", valueName: "section.key=value"))
  var assignments: [String] = []

  /// Merges all layers. Prints nothing; wrong settings end the command with exit code 2.
  func load() throws -> Configuration {
    do {
      return try Configuration(
        board: try file(board, orSystem: Self.systemBoard),
        settings: try file(config, orSystem: Self.systemSettings), assignments: assignments)
    } catch let error as SettingsError {
      throw CommandError.wrongUsage(error.description)
    }
  }

  private func file(_ given: String?, orSystem path: String) throws -> SettingsFile? {
    guard let given else {
      return access(path, F_OK) == 0 ? try Self.read(path) : nil
    }
    return try Self.read(given)
  }

  private static func unreadable(_ path: String) -> CommandError {
    .wrongUsage(
      "\(path): \(String(cString: strerror(errno))); "
        + "--config names the settings file, --board the board file")
  }

  /// Reads little more than the parser takes, so that a huge file is refused and not read.
  private static func read(_ path: String) throws -> SettingsFile {
    guard let stream = fopen(path, "re") else {
      throw unreadable(path)
    }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    errno = 0
    var count = 0
    repeat {
      count = fread(&chunk, 1, chunk.count, stream)
      bytes += chunk.prefix(count)
    } while count > 0 && bytes.count <= TOMLParser.largestText
    guard ferror(stream) == 0 else {
      throw unreadable(path)
    }
    return SettingsFile(name: path, bytes: bytes)
  }
}
