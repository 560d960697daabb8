import ArgumentParser
import Config
import GodwitSettings
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit image apply`: run at every start of an image, before the network, ssh and the daemon.
struct ImageApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Write the system's files from the settings on the boot partition.",
    discussion: """
      A mistake in the settings affects only its own subject; the report lists what was not \
      understood. Exit code 0 if everything that was understood is applied.
      """)

  @Option(
    help: ArgumentHelp("Settings file on the boot partition.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var settings = "/boot/firmware/godwit.toml"
  @Option(
    help: ArgumentHelp("Root of the system.", valueName: "folder"), completion: .directory)
  var root = "/"
  @Option(
    help: ArgumentHelp("File for the readable report.", valueName: "file"), completion: .file())
  var report = "/boot/firmware/godwit-report.txt"
  @Option(help: ArgumentHelp("User that the ssh keys admit.", valueName: "name"))
  var user = ImageCommand.user

  func validate() throws {
    // It is used as a file name.
    let isName = user.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    guard isName, (1...32).contains(user.utf8.count) else {
      throw ValidationError("--user must be a user's name: lower-case letters, digits, '-', '_'")
    }
  }

  func run() throws {
    let tree = SystemTree(root)
    let places = BootPlaces(
      settings: settings, report: report, user: user, secrets: Set(Provenance.secrets))
    let (boot, remarks) = read()
    let provisioning = Provisioning<Settings>(
      boot, remarks: remarks, places, tree.facts, library(tree), needs: { DaemonRequirements($0) })
    var changed = 0
    var failures: [String] = []
    for file in provisioning.files {
      do throws(FileFailure) {
        if try tree.put(file) { changed += 1 }
      } catch {
        failures.append(error.description)
      }
    }
    let text = BootReport(
      provisioning, places, version: Godwit.configuration.version, failures: failures)
    do throws(SystemError) {
      try write(text)
    } catch {
      failures.append(FileFailure("write", report, code: error.code).description)
    }
    guard failures.isEmpty else { throw CommandError.failed(failures.joined(separator: "\n")) }
    let remarked = provisioning.diagnostics.isEmpty ? "nothing to correct" : "see \(report)"
    try OutputBytes.print(
      "\(Counted.text(changed, "file")) changed; "
        + "\(Counted.text(provisioning.diagnostics.count, "remark")): \(remarked)")
  }

  /// Windows Notepad adds .txt to names with an unknown extension, and Windows hides it.
  private func read() -> (BootBytes, remarks: [String]) {
    let other = "\(settings).txt"
    let isOther = FileStatus(path: other)?.kind == .regular
    switch (Self.bytes(of: settings), isOther) {
    case (.missing, true):
      return (
        Self.bytes(of: other), ["The settings were read from \(other); remove .txt from its name"]
      )
    case (let bytes, true):
      return (bytes, ["\(other) was ignored, because there is \(settings); delete one of them"])
    case (let bytes, false): return (bytes, [])
    }
  }

  private static func bytes(of path: String) -> BootBytes {
    do throws(SystemError) {
      return .read(try SystemFiles.bytes(of: path, atMost: BootBytes.maxCount))
    } catch {
      return error.code == ENOENT ? .missing : .unreadable(error.text)
    }
  }

  private func library(_ tree: SystemTree) -> BoardLibrary {
    let folders =
      tree.root.isEmpty
      ? BoardFolders(settings: ConfigOptions.systemSettings)
      : BoardFolders(settings: ConfigOptions.systemSettings, program: nil, root: tree.root)
    let usual = tree.root + ConfigOptions.systemBoard
    return BoardLibrary(usual: try? ConfigOptions.read(usual, namedBy: "it is the system's board"))
    {
      name throws(SettingsError) in
      // The daemon cannot read all that root can read on the boot partition.
      guard !name.text.contains("/") else { throw Self.noPath(name) }
      do throws(SettingsError) {
        return try ConfigOptions.read(try folders.path(of: name), namedBy: "it is named as a board")
      } catch {
        throw Self.noBoard(name, known: folders.known)
      }
    }
  }

  private static func noPath(_ name: BoardName) -> SettingsError {
    SettingsError(problems: [
      SettingProblem(
        at: name.origin,
        "\(name.text) is a path, but a card names boards only by their names: copy the contents of "
          + "that file into this one, or add the file to the image (IMAGE_FILES)")
    ])
  }

  private static func noBoard(_ name: BoardName, known: [String]) -> SettingsError {
    let near = NearestName.suggestion(for: name.text, among: known)
    let hint =
      near.map { "did you mean \($0)?" } ?? "it has \(known.joined(separator: ", "))"
    return SettingsError(problems: [
      SettingProblem(at: name.origin, "this image has no board \(name.text); \(hint)")
    ])
  }

  private func write(_ text: BootReport) throws(SystemError) {
    if let old = try? SystemFiles.bytes(of: report, atMost: BootBytes.maxCount),
      text.isSame(as: old)
    {
      return
    }
    let time = ISO8601.text(BootClock.systemDate, digits: 0)
    _ = try SystemTree.put(Array(text.text(at: time).utf8), mode: 0o644, at: report)
  }
}
