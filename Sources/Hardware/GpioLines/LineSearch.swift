import CShims
import Core
import GNSS
import Ports

/// Finds the one line that the settings specify, or says exactly why there is none.
enum LineSearch {
  struct Found: Hashable, Sendable {
    /// Name of the chip in the survey.
    var chip: String
    var label: String
    var offset: UInt32

    /// In the syntax of the settings: "pinctrl-bcm2711:17".
    var text: String { "\(TerminalText.line(label)):\(offset)" }
  }

  enum Failure: Error, Equatable {
    /// No chip could be read; the refusals say why, if there are chips at all.
    case noChips([ChipRefusal])
    /// - Parameters:
    ///   - nearest: the most similar names.
    ///   - refusals: the chips on which it might nevertheless be.
    case noSuchName(String, nearest: [String], refusals: [ChipRefusal])
    case severalLines(String, [Found])
    case noSuchLabel(String, labels: [String], refusals: [ChipRefusal])
    case severalChips(label: String, [String])
    case beyondLastLine(label: String, offset: UInt32, count: Int)
  }

  static let nearestNames = 4
  static let maxLabels = 12

  static func find(
    _ specifier: GpioLine.Specifier, in survey: ChipList
  ) throws(Failure) -> Found {
    guard !survey.chips.isEmpty else { throw .noChips(survey.refusals) }
    switch specifier {
    case .named(let name): return try find(name: name, in: survey)
    case .offset(let label, let offset):
      return try find(offset: offset, onChipLabelled: label, in: survey)
    }
  }

  private static func find(name: String, in survey: ChipList) throws(Failure) -> Found {
    var found: [Found] = []
    for chip in survey.chips {
      for (offset, line) in chip.lines.enumerated() where line.name == name {
        found.append(Found(chip: chip.name, label: chip.label, offset: UInt32(offset)))
      }
    }
    if found.count > 1 { throw .severalLines(name, found) }
    if let only = found.first { return only }
    let names = survey.chips.flatMap { $0.lines.map(\.name) }.filter { !$0.isEmpty && $0 != "-" }
    let nearest = NearestName.nearest(to: name, among: names, limit: nearestNames)
    throw .noSuchName(name, nearest: nearest, refusals: survey.refusals)
  }

  private static func find(
    offset: UInt32, onChipLabelled label: String, in survey: ChipList
  ) throws(Failure) -> Found {
    let chips = survey.chips.filter { $0.label == label }
    if chips.count > 1 { throw .severalChips(label: label, chips.map(\.name)) }
    guard let chip = chips.first else {
      let labels = Set(survey.chips.map(\.label)).sorted()
      throw .noSuchLabel(
        label, labels: Array(labels.prefix(maxLabels)), refusals: survey.refusals)
    }
    guard Int(offset) < chip.lines.count else {
      throw .beyondLastLine(label: label, offset: offset, count: chip.lines.count)
    }
    return Found(chip: chip.name, label: label, offset: offset)
  }
}

/// What can be found out about a wired line without touching it.
public struct LineCheck: Equatable, Sendable {
  /// The line that the settings resolve to, "pinctrl-bcm2711:17 on gpiochip0"; nil: none.
  public var resolved: String?
  /// Its chip's label; nil: no such line.
  public var label: String?
  /// No program or driver holds it.
  public var isFree = false
  /// A godwit process, such as the daemon, holds it.
  public var isOurs = false
  /// Why it cannot be used, and what to do about it.
  public var problem: String?

  public init(problem: String) { self.problem = problem }

  /// - Parameter busy: makes the text for a line held by another program or driver, from that
  ///   refusal, the chip's path and the holder's name.
  init(
    _ found: LineSearch.Found, in survey: ChipList, devices: String,
    busy: (GpioRefusal, String, String) -> String
  ) {
    resolved = "\(found.text) on \(found.chip)"
    label = found.label
    guard let state = survey.line(at: found) else { return }
    isFree = !state.isUsed
    isOurs = state.isUsed && state.consumer == GpioChip.consumer
    guard state.isUsed, !isOurs else { return }
    problem = busy(.held, "\(devices)/\(found.chip)", state.consumer)
  }

  /// - Parameter written: the line as the settings have it.
  public func finding(_ part: String, written: String) -> Finding {
    if let problem { return .fail(part, problem) }
    let line = "\(written) is \(resolved ?? "nowhere")"
    if isOurs { return .ok(part, "\(line), in use by the daemon; see godwit status") }
    return .ok(part, "\(line), and free")
  }

  /// "libgpiod 1.6.3".
  public static var library: String { "libgpiod " + String(cString: godwit_gpio_library()) }
}
