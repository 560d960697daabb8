import Core

/// The user's command for a notice. The process that runs the command reads it from the settings
/// itself: a client of that process cannot choose the command, only its timeout.
public struct AlertCommandSettings: Hashable, SettingGroup {
  static let mostWords = 32
  static let longestWord = 1024  // bytes
  static let timeouts: ClosedRange<Double> = 1...3600

  /// The program and its arguments; empty: nothing is run.
  public var words: [String] = []
  public var timeout: Seconds = 60
  public var socket = "/run/godwit-alert.sock"

  public init() {}

  /// Settings in a section that other types have begun.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "command", &words,
      .texts(atMost: Self.mostWords, bytes: 1...Self.longestWord) {
        $0.utf8.contains(0) ? "holds the character U+0000, which no argument has" : nil
      },
      "A program by its absolute path, then its arguments, each by itself: no shell reads them. It "
        + "is run for each alert, one after the other, with the facts as variables GODWIT_…, as "
        + "the user of godwit-alert@.service, which reads it by itself: instead of one another "
        + "counts from the next alert on. Empty: nothing is run.", isSecret: true)
    setting(
      "command_timeout_s", &timeout, .quantity(Self.timeouts),
      "When it has run for so long it is ended.")
    setting(
      "command_socket", &socket, .text(bytes: 1...107),
      "Where it is asked for: as in godwit-alert.socket.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard let program = words.first, program.utf8.first != UInt8(ascii: "/") else { return [] }
    return [
      SettingConflict(
        "command",
        "has to begin with the absolute path of a program, such as \"/usr/local/bin/on-alert\"")
    ]
  }
}
