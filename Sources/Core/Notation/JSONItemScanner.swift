/// Splits a JSON file, as it arrives, into the items of certain lists: those under a given name in
/// an object, or one that is the whole text. Several texts may follow each other, with or without
/// the separators of RFC 8142, and each may be an item itself.
///
/// Items are found by their brackets alone. An item that is not valid JSON inside costs only
/// itself. An item whose brackets do not match ends the reading, because its end is unknown.
public struct JSONItemScanner: Sendable {
  public enum Piece: Sendable {
    /// Everything before the first item, closed so that it is JSON.
    case opening([UInt8])
    case item(JSONExtent, at: Int)
    /// A whole text, without the items that were taken from it.
    case text(JSONExtent, at: Int, hasItems: Bool)
    /// A text that is cut off by the start of another one (RFC 7464, section 2.3).
    case cutText(at: Int)
  }

  private enum Stage { case between, text, list, item }
  private enum Expectation { case itemOrEnd, item, commaOrEnd }

  /// RFC 7464: begins a text, and occurs nowhere else.
  private static let separator: UInt8 = 0x1E
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The names of the lists, in their quotes.
  private let lists: [[UInt8]]
  private let limits: JSONExtent.Limits
  private var bytes: [UInt8] = []
  private var position = 0
  /// The offset in the file of the first of `bytes`.
  private var base = 0
  /// Where the last piece ended.
  public private(set) var pieceEnd = 0
  public private(set) var hasText = false
  /// The line of the last item or text, counted from 1.
  public private(set) var line = 1
  private var newestLine = 1
  private var countedTo = 0

  private var stage = Stage.between
  private var text: JSONExtent
  private var textStart = 0
  private var hasItems = false
  private var item: JSONExtent
  private var itemStart = 0
  private var expectation = Expectation.itemOrEnd
  /// The range of the last string of the outermost object in `text`.
  private var word = 0..<0
  private var isAfterName = false

  /// Whether the file may end here.
  public var isBetweenTexts: Bool { stage == .between }
  public var byteCount: Int { base + bytes.count }
  public var offset: Int { base + position }

  /// - Parameters:
  ///   - lists: the names of the lists.
  ///   - limits: how much of an item is kept.
  public init(lists: [String], limits: JSONExtent.Limits) {
    self.lists = lists.map { Array("\"\($0)\"".utf8) }
    self.limits = limits
    text = JSONExtent(limits)
    item = JSONExtent(limits)
  }

  public mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
    countLines()
    countedTo = 0
    bytes.removeFirst(position)
    base += position
    position = 0
    bytes.append(contentsOf: piece)
  }

  /// The next piece, or nil when its end has not arrived yet.
  public mutating func next() throws(JSONError) -> Piece? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte != 0 else {
        throw JSONError(
          offset: offset,
          reason: "a NUL, which JSON cannot contain: a power failure cut the file off here, or it "
            + "is not UTF-8")
      }
      if byte == Self.separator, stage != .between {
        stage = .between
        return .cutText(at: textStart)
      }
      let piece: Piece?
      switch stage {
      case .between:
        piece = nil
        begin(byte)
      case .text: piece = try takeText(byte)
      case .list: piece = try takeListed(byte)
      case .item: piece = try takeItem(byte)
      }
      if let piece {
        pieceEnd = offset
        return piece
      }
    }
    return nil
  }

  /// The piece that ends with the file: a bare word, which no bracket ends.
  public mutating func last() -> Piece? {
    guard stage == .text, text.depth == 0, !text.isInString else { return nil }
    return endText()
  }

  private mutating func noteLine() {
    countLines()
    line = newestLine
  }

  private mutating func countLines() {
    newestLine += bytes[countedTo..<position].count { $0 == 0x0A }
    countedTo = position
  }

  // MARK: The text around the list

  private mutating func begin(_ byte: UInt8) {
    let isMark = offset < 3 && byte == Self.byteOrderMark[offset]
    guard byte > 0x20, !isMark else {
      position += 1
      return
    }
    text = JSONExtent(limits)
    textStart = offset
    noteLine()
    hasText = true
    hasItems = false
    word = 0..<0
    isAfterName = false
    stage = .text
  }

  private mutating func takeText(_ byte: UInt8) throws(JSONError) -> Piece? {
    let beginsList = byte == UInt8(ascii: "[") && (isAfterName || text.depth == 0)
    let isOutermost = text.depth == 1
    let start = text.bytes.count
    let wasInString = text.isInString
    guard let progress = text.consume(byte) else { throw misfit(byte) }
    if progress == .ended { return endText() }
    position += 1
    if progress == .complete { return endText() }
    if beginsList, !wasInString, text.excess == nil {
      stage = .list
      expectation = .itemOrEnd
    } else if isOutermost, text.excess == nil {
      note(byte, at: start, wasInString: wasInString)
    }
    return nil
  }

  /// Follows the names of the outermost object: a string, then a colon.
  private mutating func note(_ byte: UInt8, at start: Int, wasInString: Bool) {
    if wasInString {
      if !text.isInString { word = word.lowerBound..<text.bytes.count }
    } else if byte == UInt8(ascii: "\"") {
      word = start..<start
      isAfterName = false
    } else if byte == UInt8(ascii: ":") {
      isAfterName = lists.contains { $0.elementsEqual(text.bytes[word]) }
    } else if byte > 0x20 {
      isAfterName = false
    }
  }

  private mutating func endText() -> Piece {
    stage = .between
    defer { text = JSONExtent(limits) }
    return .text(text, at: textStart, hasItems: hasItems)
  }

  // MARK: The list

  private mutating func takeListed(_ byte: UInt8) throws(JSONError) -> Piece? {
    switch byte {
    case 0...0x20: position += 1
    case UInt8(ascii: "]") where expectation != .item:
      position += 1
      isAfterName = false
      stage = .text
      if text.consume(byte) == .complete { return endText() }
    case UInt8(ascii: ",") where expectation == .commaOrEnd:
      position += 1
      expectation = .item
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"):
      throw JSONError(offset: offset, reason: "no value here")
    default:
      guard expectation != .commaOrEnd else {
        throw JSONError(offset: offset, reason: "',' or ']' expected")
      }
      guard hasItems else {
        hasItems = true
        return .opening(text.bytes + (text.depth > 1 ? "]}" : "]").utf8)
      }
      item = JSONExtent(limits)
      itemStart = offset
      noteLine()
      stage = .item
    }
    return nil
  }

  private mutating func takeItem(_ byte: UInt8) throws(JSONError) -> Piece? {
    guard let progress = item.consume(byte) else { throw misfit(byte) }
    if progress != .ended { position += 1 }
    guard progress != .open else { return nil }
    stage = .list
    expectation = .commaOrEnd
    defer { item = JSONExtent(limits) }
    return .item(item, at: itemStart)
  }

  private func misfit(_ byte: UInt8) -> JSONError {
    let bracket = Character(Unicode.Scalar(byte))
    return JSONError(
      offset: offset, reason: "the '\(bracket)' does not match the bracket that it closes")
  }
}
