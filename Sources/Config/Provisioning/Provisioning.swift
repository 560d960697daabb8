import Core

/// The boot file as read.
public enum BootBytes: Sendable {
  /// Reading more is useless, because a longer file is rejected.
  public static let maxCount = BootText.maxSize + 1

  case read([UInt8])
  case missing
  /// With the reason.
  case unreadable(String)
}

/// Paths and names for the messages to the owner.
public struct BootPlaces: Sendable {
  /// The boot file's path.
  let settings: String
  let report: String
  /// The user that the SSH keys give access to.
  let user: String
  /// The daemon's settings whose values are not shown.
  let secrets: Set<String>

  public init(settings: String, report: String, user: String, secrets: Set<String>) {
    self.secrets = secrets
    self.settings = settings
    self.report = report
    self.user = user
  }
}

/// Converts the boot file to system files: valid parts become files, errors become complaints.
public struct Provisioning<Daemon: SettingGroup> {
  public let files: [SystemFile]
  public let diagnostics: [Diagnostic]
  /// The resulting setup, for the report: subjects and their descriptions.
  let subjects: [(name: String, text: String)]
  /// The daemon's settings in the boot file, as written; secrets are replaced.
  let settings: [(key: String, value: String)]

  /// - Parameters:
  ///   - remarks: remarks about where the file was found.
  ///   - needs: the daemon's requirements with the given settings.
  public init(
    _ boot: BootBytes, remarks: [String] = [], _ places: BootPlaces, _ facts: SystemFacts,
    _ boards: BoardLibrary, needs: (Daemon) -> DaemonRequirements
  ) {
    let text = BootText(boot)
    let declared = DeclaredSettings(in: BootFile<Daemon>())
    let lists = Set(declared.sections.filter { $0.fields != nil }.map(\.name))
    let mender = TOMLRepair(text.lines, lists: lists)
    let tidying = SettingsCleanup(mender.table, declared, lists: ["boards"])
    let reading = PartialReading<BootFile<Daemon>>(tidying.table, file: places.settings)
    let daemon = Set(DeclaredSettings(in: Daemon()).settings.map(\.key))
    let settled = ResolvedSettings<Daemon>(
      reading.entries.filter { daemon.contains($0.key) }, boards: reading.boards, library: boards,
      head: Self.head(places), secrets: places.secrets)
    var system = SystemPlan(
      reading.settings.image, needs(settled.settings), facts, user: places.user,
      lines: Dictionary(reading.entries.map { ($0.key, $0.line) }) { first, _ in first })
    system.plan()
    files = [SystemFile(SystemPlan.settings, text: settled.text)] + system.files
    var complaints = remarks.map { Diagnostic($0) }
    complaints += text.diagnostics + mender.diagnostics + tidying.diagnostics
    complaints += reading.problems.map { Diagnostic($0) } + settled.diagnostics
    complaints += system.diagnostics
    // Complaints about the whole file come first; those about one line keep their order.
    self.diagnostics = complaints.filter { $0.line == nil } + Self.byLine(complaints)
    let boardNames = settled.boardNames.joined(separator: ", ")
    subjects =
      [("boards", boardNames.isEmpty ? "none but the image's own" : boardNames)] + system.subjects
    settings = settled.entries.map { ($0.key, settled.displayText($0)) }
  }

  private static func byLine(_ complaints: [Diagnostic]) -> [Diagnostic] {
    let placed = complaints.enumerated().filter { $0.element.line != nil }
    return placed.sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element)
  }

  private static func head(_ places: BootPlaces) -> String {
    """
    # Written from \(places.settings) at every start, by "godwit image apply".
    # Change that file: changes here are lost.

    """
  }
}

extension BootText {
  fileprivate init(_ boot: BootBytes) {
    switch boot {
    case .read(let bytes): self.init(bytes)
    case .missing:
      self.init(
        because: "There is no settings file; every setting has its default. \"godwit image "
          + "settings\" prints one to start with")
    case .unreadable(let reason):
      self.init(
        because: "The settings file cannot be read (\(reason)); every setting has its default. "
          + "Write it again; if that does not help, the card is damaged")
    }
  }
}
