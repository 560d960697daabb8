/// The boot file as lines, from any editor: UTF-8 or UTF-16, with or without a byte order mark,
/// with lines that end in LF, CR LF or CR. Lines that are not text are left out and reported.
struct BootText {
  /// Far more than all settings need.
  static let maxSize = 65_536

  /// Without line ends.
  private(set) var lines: [[UInt8]] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maxSize else {
      diagnostics.append(
        Diagnostic(
          "The file has more than \(Self.maxSize) bytes and is not used; replace it with a "
            + "settings file (\"godwit image settings\" prints one)"))
      return
    }
    let text = Self.decoded(bytes)
    lines = Self.split(text)
    guard lines.contains(where: { !$0.allSatisfy(Self.isBlank) }) else {
      diagnostics.append(Diagnostic("The file is empty; every setting has its default"))
      return
    }
    removeDamage()
  }

  /// A boot file that is missing or cannot be read.
  init(because reason: String) { diagnostics = [Diagnostic(reason)] }

  private mutating func removeDamage() {
    var damaged: [Int] = []
    for index in lines.indices where !Self.isText(lines[index]) {
      let isComment = lines[index].first { !Self.isBlank($0) } == UInt8(ascii: "#")
      if !isComment { damaged.append(index + 1) }
      lines[index] = []
    }
    // If there are many, one sentence reports all of them.
    guard damaged.count > 10 else {
      diagnostics += damaged.map {
        Diagnostic(
          line: $0,
          "is not text in UTF-8 and is not used; write it again, and save the file as UTF-8")
      }
      return
    }
    diagnostics.append(
      Diagnostic(
        line: damaged[0],
        "and \(damaged.count - 1) more lines are not text in UTF-8 and are not used; the card may "
          + "be damaged: replace this file with a new settings file, saved as UTF-8"))
  }

  /// Windows Notepad calls UTF-16 with a byte order mark "Unicode".
  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes.starts(with: [0xff, 0xfe])
    if isLittle || bytes.starts(with: [0xfe, 0xff]) {
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isLittle ? second << 8 | first : first << 8 | second
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
  }

  private static func split(_ text: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var line: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text {
      switch byte {
      case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        lines.append(line)
        line = []
      default: line.append(byte)
      }
      previous = byte
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func isText(_ line: [UInt8]) -> Bool {
    line.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
      && String(validating: line, as: UTF8.self) != nil
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
