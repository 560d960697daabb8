import Config
import FuzzInput
import GodwitSettings

/// The settings file on the boot partition of an image, on a board that may have a board file.
public final class BootTarget: FuzzTarget {
  private static let places = BootPlaces(
    settings: "godwit.toml", report: "report.txt", user: "user", secrets: [])
  private static let written = "etc/godwit/godwit.toml"
  private static let board = SettingsFile(
    name: "board", bytes: Array("[receiver]\nkind = \"gnss\"\n".utf8))

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    let bytes = Array(input)
    var facts = SystemFacts()
    facts.timeZones = ["Etc/UTC", "Europe/Berlin"]
    facts.examples = "/examples"
    let made = Provisioning<Settings>(
      .read(bytes), Self.places, facts, Self.shelf, needs: { _ in DaemonRequirements() })
    try requireAccepted(made)
    for complaint in made.diagnostics {
      try require(!complaint.text.isEmpty, "nothing is said")
      let lines = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
      try require((1...lines).contains(complaint.line ?? 1), "no such line: \(complaint)")
    }
    let report = BootReport(made, Self.places, version: "1", failures: [])
    let text = Array(report.text(at: "now").utf8)
    try require(report.isSame(as: text), "the report is not the same as itself")
  }

  /// The daemon accepts the resulting settings file.
  private func requireAccepted(_ made: Provisioning<Settings>) throws(Violation) {
    guard let file = made.files.first(where: { $0.path == Self.written }),
      case .file(let bytes, _) = file.content
    else { throw Violation("there are no settings for the daemon") }
    let settings = SettingsFile(name: "settings", bytes: bytes)
    let named = BoardName.named(in: settings)
    do throws(SettingsError) {
      _ = try Configuration<Settings>(
        boards: named.map { $0.map { _ in Self.board } } ?? [Self.board], settings: settings)
    } catch {
      throw Violation("the daemon refuses what was understood: \(error)")
    }
  }

  /// Every name that begins with a letter is that of the one board file.
  private static var shelf: BoardLibrary {
    BoardLibrary(usual: board) { name throws(SettingsError) in
      guard name.text.first?.isLetter == true else {
        throw SettingsError(problems: [SettingProblem(at: name.origin, "there is no such board")])
      }
      return board
    }
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = BootTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
