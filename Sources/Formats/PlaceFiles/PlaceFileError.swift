import Core

/// One of the things in a file that can be a place.
public struct PlaceFileItem: Hashable, Sendable, CustomStringConvertible {
  /// What the format calls it: "feature", "waypoint", "placemark".
  public let noun: String
  /// In the order of the file, from 1.
  public let number: Int
  /// As the file has it, if it has one.
  public let name: String?

  public init(_ noun: String, _ number: Int, name: String? = nil) {
    self.noun = noun
    self.number = number
    self.name = name
  }

  public var description: String {
    name.map { "\(noun) \(number) \(Quoted.text($0))" } ?? "\(noun) \(number)"
  }
}

/// What is wrong with a file of places, where, and what to do about it.
public struct PlaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nil for what concerns the whole file.
  public let item: PlaceFileItem?
  /// The part of it: "perimeter.polygons[0].outer", "line 12"; empty for all of it.
  public let path: String
  /// What is wrong there, and what would be right.
  public let reason: String

  public init(_ reason: String, at path: String = "", in item: PlaceFileItem? = nil) {
    self.item = item
    self.path = path
    self.reason = reason
  }

  public var description: String {
    let place = [item?.description ?? "", path].filter { !$0.isEmpty }
    return (place + [reason]).joined(separator: ": ")
  }
}

extension PlaceFileError {
  /// So much of a file may have no end of anything: many times what is kept of a place, and read in
  /// seconds.
  private static let longestGap = 1 << 28

  static func check(gapFrom start: Int, to end: Int) throws(PlaceFileError) {
    guard end - start > longestGap else { return }
    throw PlaceFileError(
      "nothing ends within \(longestGap >> 20) MB from byte \(start) on: no place is that large")
  }
}

/// What a file says, in messages: short, in quotes, and safe for a terminal.
enum Quoted {
  private static let limit = 60

  static func text(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(limit)
    let isCut = start.endIndex != text.unicodeScalars.endIndex
    return "\"\(TerminalText.line(String(start)))\(isCut ? "…" : "")\""
  }
}
