import Core

/// A board in a settings file or an option: a name to look up, or a path.
public struct BoardName: Hashable, Sendable {
  /// More parts than any board has; bounds the amount of reading that a hostile file can cause.
  static let maxCount = 16

  public let text: String
  /// Where it is named, for the message that the board does not exist.
  public let origin: Origin

  /// A name never contains a slash, so that its look-up cannot leave the board folders.
  public var isPath: Bool { text.utf8.contains(UInt8(ascii: "/")) || text.hasSuffix(".toml") }

  /// Why a name or path is invalid.
  struct Mismatch: Error {
    let reason: String
  }

  /// A board from `--board`.
  public init(option text: String) throws(SettingsError) {
    let origin = Origin.commandLine(option: "--board \(text)")
    do throws(Mismatch) {
      try self.init(text, at: origin)
    } catch {
      throw SettingsError(problems: [
        SettingProblem(source: origin.description, message: error.reason)
      ])
    }
  }

  init(_ text: String, at origin: Origin) throws(Mismatch) {
    self.text = text
    self.origin = origin
    guard (1...255).contains(text.utf8.count), !text.utf8.contains(0) else {
      throw Mismatch(reason: "the name of a board must have 1 to 255 bytes")
    }
    guard isPath || text.utf8.allSatisfy(Self.isPartOfName) else {
      throw Mismatch(
        reason: "'\(text)' is not a board name (letters, digits, '-' and '_'); "
          + "a path has a '/' or ends in .toml")
    }
  }

  /// The boards that a settings file lists under `boards`; nil if it has no such list. Empty if the
  /// file cannot be parsed: merging it into a `Configuration` reports the errors.
  public static func named(in file: SettingsFile) -> [BoardName]? {
    guard let table = try? TOMLParser.parse(file.bytes, file: file.name),
      let value = table[SettingsRole.settings.key]
    else { return nil }
    return (try? read(value, file: file.name)) ?? []
  }

  static func read(_ value: WrittenValue, file: String) throws(Mismatch) -> [BoardName] {
    guard case .array(let elements) = value.content else {
      throw Mismatch(reason: "is \(value.kind); expected names in brackets: [\"raspberry-pi-4\"]")
    }
    guard elements.count <= maxCount else {
      throw Mismatch(reason: "names \(elements.count) boards; expected at most \(maxCount)")
    }
    var names: [BoardName] = []
    for element in elements {
      guard case .string(let text) = element.content else {
        throw Mismatch(reason: "contains \(element.kind); expected names in quotes")
      }
      names.append(try BoardName(text, at: .file(name: file, line: element.line)))
    }
    return names
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
