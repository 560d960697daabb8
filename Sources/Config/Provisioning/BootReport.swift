import Core

/// The report on the boot partition: errors in the boot file, and the resulting setup. Lines end in
/// CR LF, for every editor. It contains no password.
public struct BootReport {
  /// The limit of listed errors; more are only counted.
  private static let maxComplaints = 100
  private static let width = 78
  private static let timeLabel = "Written: "

  /// The lines without the time.
  private let untimed: [String]

  /// - Parameters:
  ///   - failures: files that could not be written.
  public init<Daemon>(
    _ provisioning: Provisioning<Daemon>, _ places: BootPlaces, version: String,
    failures: [String]
  ) {
    var lines = ["Godwit \(version): result of this board's settings", ""]
    lines += Self.wrapped("Settings: \(places.settings) on the board", indent: "          ")
    lines += Self.complaints(provisioning.diagnostics)
    if !failures.isEmpty {
      lines += ["", "NOT WRITTEN: \(Counted.text(failures.count, "file"))", ""]
      for failure in failures { lines += Self.item(failure) }
    }
    lines += ["", "SET UP", ""]
    let table = TextTable([.init(width: 14), .init()])
    for subject in provisioning.subjects {
      lines.append("  " + table.line([subject.name, TerminalText.line(subject.text)]))
    }
    lines += ["", "SETTINGS OF THE TRACKER", ""]
    for setting in provisioning.settings {
      lines.append("  \(setting.key) = \(TerminalText.line(setting.value))")
    }
    lines.append(
      provisioning.settings.isEmpty
        ? "  Every setting has the value of the boards, or its default."
        : "  The others have the values of the boards, or their defaults.")
    untimed = lines
  }

  /// The report with the time of the board's clock, which may have no battery.
  public func text(at time: String) -> String {
    let written = "\(Self.timeLabel)\(time) by the board's clock, when anything here last changed"
    var lines = untimed
    lines.insert(written, at: 1)
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  /// Whether the old report differs in its time only: it is not written again, to spare the card.
  public func isSame(as old: [UInt8]) -> Bool {
    let text = String(decoding: old, as: UTF8.self)
    let kept = text.split(separator: "\r\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix(Self.timeLabel) }
    return kept.map(String.init) == untimed + [""]
  }

  private static func complaints(_ complaints: [Diagnostic]) -> [String] {
    guard !complaints.isEmpty else { return ["", "Everything in it was understood."] }
    var lines = ["", "TO CORRECT: \(Counted.text(complaints.count, "remark"))", ""]
    for complaint in complaints.prefix(maxComplaints) { lines += item(complaint.description) }
    let rest = complaints.count - maxComplaints
    return rest > 0 ? lines + ["  and \(rest) more."] : lines
  }

  private static func item(_ text: String) -> [String] {
    wrapped("* \(TerminalText.line(text))", indent: "    ").map { "  " + $0 }
  }

  private static func wrapped(_ text: String, indent: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = indent + word
      } else {
        line += line.isEmpty ? String(word) : " \(word)"
      }
    }
    return lines + [line]
  }
}
