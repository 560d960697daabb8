import Core

/// One item of a file that can be a place.
public struct PlaceFileItem: Hashable, Sendable, CustomStringConvertible {
  /// The format's word for it: "feature", "waypoint", "placemark".
  let noun: String
  /// In the order of the file, from 1.
  let number: Int
  /// As in the file, if it has one.
  let name: String?

  init(_ noun: String, _ number: Int, name: String? = nil) {
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
  /// Nil: it concerns the whole file.
  let item: PlaceFileItem?
  /// The part with the fault: "perimeter.polygons[0].outer", "line 12"; empty: all of it.
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
  /// Limit of bytes without the end of an item: many times the size of a place, and read in
  /// seconds.
  private static let longestGap = 1 << 28

  static func check(gapFrom start: Int, to end: Int) throws(PlaceFileError) {
    guard end - start > longestGap else { return }
    throw PlaceFileError(
      "no item ends within \(longestGap >> 20) MB from byte \(start): no place is that large")
  }
}

/// Text from a file, for messages: short, in quotes, and safe for a terminal.
enum Quoted {
  private static let limit = 60

  static func text(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(limit)
    let isCut = start.endIndex != text.unicodeScalars.endIndex
    return "\"\(TerminalText.line(String(start)))\(isCut ? "…" : "")\""
  }
}
