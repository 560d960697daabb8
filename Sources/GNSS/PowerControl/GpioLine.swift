/// A GPIO line as specified in settings, and its drive options.
///
/// Written as `NAME` or `LABEL:OFFSET`, then any of the words `active-low`, `open-drain`,
/// `open-source`, `pull-up`, `pull-down`, `bias-disabled`: "GNSS_EN", "pinctrl-bcm2711:17
/// active-low". A line is found by its name, or by its chip's label and the offset on that chip;
/// never by the chip's number, which changes between boards and boots.
public struct GpioLine: Hashable, Sendable {
  public enum Specifier: Hashable, Sendable {
    /// The name in the device tree's `gpio-line-names`.
    case named(String)
    case offset(chipLabel: String, UInt32)
  }

  public enum Drive: String, Sendable, CaseIterable {
    case pushPull = "push-pull"
    case openDrain = "open-drain"
    case openSource = "open-source"
  }

  public enum Bias: String, Sendable, CaseIterable {
    case asIs = "as-is"
    case disabled = "bias-disabled"
    case pullUp = "pull-up"
    case pullDown = "pull-down"
  }

  /// Why a text does not specify a line.
  public struct Mismatch: Error, Hashable, Sendable {
    let reason: String
  }

  public var specifier: Specifier
  public var isActiveLow = false
  public var drive = Drive.pushPull
  public var bias = Bias.asIs

  public init(_ specifier: Specifier) { self.specifier = specifier }

  public init(parsing text: String) throws(Mismatch) {
    let words = text.split(separator: " ").map(String.init)
    guard let first = words.first else {
      throw Mismatch(reason: "is empty; write a line's name, or LABEL:OFFSET")
    }
    specifier = try Self.specifier(first)
    for word in words.dropFirst() {
      if word == "active-low" {
        isActiveLow = true
      } else if let drive = Drive(rawValue: word) {
        self.drive = drive
      } else if let bias = Bias(rawValue: word) {
        self.bias = bias
      } else {
        throw Mismatch(
          reason: "has the unknown word \(word); after the line come active-low, open-drain, "
            + "open-source, pull-up, pull-down or bias-disabled")
      }
    }
  }

  private static func specifier(_ word: String) throws(Mismatch) -> Specifier {
    // A name may contain a colon; an offset is the digits after the last one.
    guard let colon = word.lastIndex(of: ":") else { return .named(word) }
    let offset = word[word.index(after: colon)...]
    guard !offset.isEmpty, offset.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return .named(word)
    }
    guard let number = UInt32(offset), number < 65_536, colon != word.startIndex else {
      throw Mismatch(reason: "has no usable offset in \(word); write LABEL:OFFSET")
    }
    return .offset(chipLabel: String(word[..<colon]), number)
  }

  /// As written in settings.
  public var text: String {
    var words: [String]
    switch specifier {
    case .named(let name): words = [name]
    case .offset(let label, let offset): words = ["\(label):\(offset)"]
    }
    if isActiveLow { words.append("active-low") }
    if drive != .pushPull { words.append(drive.rawValue) }
    if bias != .asIs { words.append(bias.rawValue) }
    return words.joined(separator: " ")
  }
}
