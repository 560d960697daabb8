import Core

/// The first text received on a line, for the case that it is no receiver.
struct ReceivedText {
  private static let most = 512
  /// The maximum length of a quoted line.
  private static let shown = 60

  private var bytes: [UInt8] = []

  mutating func add(_ more: [UInt8]) {
    bytes.append(contentsOf: more.prefix(Self.most - bytes.count))
  }

  /// The advice for unreadable input.
  static let unreadable =
    "a wrong speed (receiver.baud = 0 detects it), an inverted or RS-232 level, or no GNSS receiver"

  /// What sends this text, and what to do; nil if it is unreadable.
  var advice: String? {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { TerminalText.line(String($0.drop { $0 == " " })) }
    guard let line = lines.first(where: Self.isReadable) else { return nil }
    let quoted = "\"\(line.prefix(Self.shown))\""
    if lines.contains(where: { $0.lowercased().contains("login:") }) {
      return "\(quoted) is the log-in prompt of a console: remove console=serial0 from the "
        + "kernel's command line and disable serial-getty on this line"
    }
    if lines.contains(where: Self.isOfModem) {
      return "\(quoted) is a modem's answer to AT commands: another port of the modem sends the "
        + "positions, once its GNSS is on; name that port in receiver.device"
    }
    return "it is readable text, but not from a receiver: \(quoted)"
  }

  /// Noise, or a wrong speed, yields little ASCII.
  private static func isReadable(_ line: String) -> Bool {
    line.utf8.count >= 4 && line.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Result codes of V.250, and information responses with + (3GPP TS 27.007).
  private static func isOfModem(_ line: String) -> Bool {
    ["OK", "ERROR", "RING", "NO CARRIER"].contains(line)
      || (line.first == "+" && line.dropFirst().prefix(2).allSatisfy(\.isUppercase)
        && line.contains(":"))
      || line.hasPrefix("AT+")
  }
}
