import CGpiod
import Glibc

/// The chips of this machine.
enum GpioChip {
  /// A Raspberry Pi has two to five; a board full of expanders some dozens.
  static let most = 128
  /// Of one chip; the largest that kernels describe have some hundred.
  static let mostLines: UInt32 = 4096

  /// All chips and their lines as they are now.
  static func survey(_ folder: String) -> ChipSurvey {
    var survey = ChipSurvey()
    for name in names(folder) {
      do {
        survey.chips.append(try describe(name, path: "\(folder)/\(name)"))
      } catch {
        survey.refusals.append(ChipRefusal(path: "\(folder)/\(name)", code: error.code))
      }
    }
    return survey
  }

  /// A link is not another chip: Raspberry Pi OS links gpiochip4 to gpiochip0 on a Pi 5 for
  /// programs that know the old number (raspberrypi-sys-mods, 60-gpiochip4.rules).
  private static func names(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [UInt] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = UInt(name.dropFirst(prefix.count)), name == "\(prefix)\(number)",
        isDevice("\(folder)/\(name)")
      else { continue }
      numbers.append(number)
    }
    return numbers.sorted().prefix(most).map { "\(prefix)\($0)" }
  }

  private static let prefix = "gpiochip"

  private static func isDevice(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
  }

  private static func describe(
    _ name: String, path: String
  ) throws(GpioRefusal) -> ChipDescription {
    guard let chip = godwit_gpio_open(path) else {
      throw GpioRefusal(step: .opening, code: errno)
    }
    defer { godwit_gpio_close(chip) }
    var lines: [LineDescription] = []
    for offset in 0..<min(godwit_gpio_line_count(chip), mostLines) {
      var line = godwit_gpio_line()
      guard godwit_gpio_describe(chip, offset, &line) == 0 else {
        throw GpioRefusal(step: .describing, code: errno)
      }
      lines.append(
        LineDescription(
          name: text(of: &line.name), isUsed: line.is_used, consumer: text(of: &line.consumer)))
    }
    return ChipDescription(
      name: name, label: String(cString: godwit_gpio_label(chip)), lines: lines)
  }

  private static func text<Characters>(of characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
