import Core

/// The user's command for a notice. The process that runs the command reads it from the settings
/// itself: a client of that process cannot choose the command, only its timeout.
public struct AlertCommandSettings: Hashable, SettingGroup {
  static let mostWords = 32
  static let longestWord = 1024  // bytes
  static let timeouts: ClosedRange<Double> = 1...3600

  /// The program and its arguments; empty: nothing is run.
  public var words: [String] = []
  var timeout: Seconds = 60
  public var socket = "/run/godwit-alert.sock"

  public init() {}

  /// Settings in a section that other types have begun.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "command", &words,
      .texts(atMost: Self.mostWords, bytes: 1...Self.longestWord) {
        $0.utf8.contains(0) ? "contains the character U+0000, which no argument has" : nil
      },
      "Program for each notice: its absolute path, then its arguments as separate texts, without a "
        + "shell. Notices are processed one after the other, with their facts as variables "
        + "GODWIT_…, by the user of godwit-alert@.service. The service reads this setting itself, "
        + "so that a change of the program applies from the next notice on. Empty: run nothing.",
      isSecret: true)
    setting(
      "command_timeout_s", &timeout, .quantity(Self.timeouts),
      "Maximum run time of the program; then it is ended.")
    setting(
      "command_socket", &socket, .text(bytes: 1...107),
      "Socket that starts the program: as in godwit-alert.socket.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard let program = words.first, program.utf8.first != UInt8(ascii: "/") else { return [] }
    return [
      SettingConflict(
        "command",
        "must begin with the absolute path of a program, such as \"/usr/local/bin/on-alert\"")
    ]
  }
}
