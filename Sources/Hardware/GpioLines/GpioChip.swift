import CShims
import Glibc
import Platform

/// The GPIO chips of this machine.
enum GpioChip {
  /// The consumer name that other programs see on lines held by this one.
  static let consumer = "godwit"
  /// A Raspberry Pi has two to five, a board full of expanders a few dozen.
  static let maxChips = 128
  /// The largest that kernels describe have a few hundred.
  static let maxLinesPerChip: UInt32 = 4096

  /// All chips and their lines as they are now.
  static func survey(_ folder: String) -> ChipList {
    var survey = ChipList()
    for name in names(folder) {
      do {
        survey.chips.append(try describe(name, path: "\(folder)/\(name)"))
      } catch {
        survey.refusals.append(ChipRefusal(path: "\(folder)/\(name)", error: error.error))
      }
    }
    return survey
  }

  /// A link is not another chip: Raspberry Pi OS links gpiochip4 to gpiochip0 on a Pi 5 for
  /// programs that use the old number (raspberrypi-sys-mods, 60-gpiochip4.rules).
  private static func names(_ folder: String) -> [String] {
    let numbers = SystemFiles.names(in: folder).compactMap { name -> UInt? in
      guard let number = UInt(name.dropFirst(prefix.count)), name == "\(prefix)\(number)",
        FileStatus(path: "\(folder)/\(name)", followsLinks: false)?.kind == .characterDevice
      else { return nil }
      return number
    }
    return numbers.sorted().prefix(maxChips).map { "\(prefix)\($0)" }
  }

  private static let prefix = "gpiochip"

  private static func describe(
    _ name: String, path: String
  ) throws(GpioRefusal) -> ChipDescription {
    guard let chip = godwit_gpio_open(path) else {
      throw GpioRefusal(step: .opening, error: .last)
    }
    defer { godwit_gpio_close(chip) }
    var lines: [LineDescription] = []
    for offset in 0..<min(godwit_gpio_line_count(chip), maxLinesPerChip) {
      var line = godwit_gpio_line()
      guard godwit_gpio_describe(chip, offset, &line) == 0 else {
        throw GpioRefusal(step: .describing, error: .last)
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

/// What the kernel reports about a GPIO chip and its lines.
struct ChipDescription: Equatable, Sendable {
  /// The kernel's current number: "gpiochip0". For messages only, because it changes.
  var name: String
  /// The chip's constant name: "pinctrl-bcm2711".
  var label: String
  /// In the order of their offsets.
  var lines: [LineDescription]
}

struct LineDescription: Equatable, Sendable {
  /// Empty: the line has no name.
  var name = ""
  var isUsed = false
  /// The consumer name that its holder gave; empty when it is free, and for some drivers.
  var consumer = ""
}

/// A chip whose lines could not be read.
struct ChipRefusal: Equatable, Sendable {
  var path: String
  var error: SystemError
}

/// All chips, as far as they could be read.
struct ChipList: Equatable, Sendable {
  var chips: [ChipDescription] = []
  var refusals: [ChipRefusal] = []

  func line(at found: LineSearch.Found) -> LineDescription? {
    guard let chip = chips.first(where: { $0.name == found.chip }),
      chip.lines.indices.contains(Int(found.offset))
    else { return nil }
    return chip.lines[Int(found.offset)]
  }

  /// The consumer name of the program that has the line.
  func holder(of found: LineSearch.Found) -> String? { line(at: found)?.consumer }
}
