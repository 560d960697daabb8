import Core

/// An XML element with its content, without namespace prefixes.
struct XMLElement: Sendable {
  let name: String
  var attributes: [(name: String, value: String)] = []
  var children: [XMLElement] = []
  /// Its own text, with white space.
  var text = ""
  /// Whether a part of the text was in CDATA.
  var isLiteral = false

  init(_ name: String) { self.name = name }

  subscript(_ attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The first one of that name.
  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

/// Finds the elements of one name anywhere in a document, as it arrives, and returns each as a
/// whole when it is complete. One that is too large for a place is skipped.
struct XMLItemScanner: Sendable {
  struct Item: Sendable {
    var element: XMLElement
    /// Why it cannot be used.
    var fault: String?
  }

  /// The documents need 10, extensions some more.
  private static let maxDepth = 64
  /// In bytes of texts and tags, and in elements: as in `JSONExtent`, but an element takes more
  /// memory than a value.
  private static let maxLength = 1 << 23
  private static let maxElements = 20_000
  /// The corners of the largest polygon, each with three numbers of 20 digits.
  private static let maxTokenLength = 1 << 21

  private let root: String
  private let name: String
  /// Other elements to count, outside the items.
  private let others: Set<String>
  /// How many there were.
  private(set) var counts: [String: Int] = [:]
  /// The text of the first `href` outside the items; nil: none.
  private(set) var link: String?
  private var scanner = XMLScanner(maxTokenLength: Self.maxTokenLength)
  /// The open elements, from the root.
  private var path: [String] = []
  /// The open elements of the item.
  private var elements: [(element: XMLElement, text: [UInt8])] = []
  private var fault: String?
  private var length = 0
  private var count = 0
  private var seesRoot = false
  private(set) var byteCount = 0
  /// The number of bytes when the last token had ended.
  private var tokenEnd = 0

  init(root: String, item: String, others: Set<String>) {
    self.root = root
    self.name = item
    self.others = others
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    byteCount += bytes.count
    scanner.append(bytes)
  }

  /// The next item, or nil when its end has not arrived yet.
  mutating func next() throws(PlaceFileError) -> Item? {
    do throws(TraceError) {
      while let token = try scanner.next() {
        tokenEnd = byteCount
        switch token {
        case .start(let name, let attributes, let isEmpty):
          try begin(String(decoding: scanner.bytes[name], as: UTF8.self), attributes)
          if isEmpty, let item = end() { return item }
        case .end(let name):
          guard path.last?.utf8.elementsEqual(scanner.bytes[name]) == true else {
            let written = Quoted.text(String(decoding: scanner.bytes[name], as: UTF8.self))
            throw TraceError(
              line: scanner.line, "the end of \(written) does not match the open element")
          }
          if let item = end() { return item }
        case .text(let range, let isLiteral): take(range, isLiteral: isLiteral)
        }
      }
    } catch { throw PlaceFileError(error.reason, at: "line \(error.line)") }
    try PlaceFileError.check(gapFrom: tokenEnd, to: byteCount)
    return nil
  }

  /// Call at the end of the file.
  mutating func finish() throws(PlaceFileError) {
    let cut = scanner.cut()
    guard seesRoot || cut != nil else {
      throw PlaceFileError("no <\(root)> element: check that this is such a file")
    }
    if let cut { throw PlaceFileError(cut.reason, at: "line \(cut.line)") }
    guard path.isEmpty else {
      throw PlaceFileError("the file ends before </\(root)>: check that it is complete")
    }
  }

  private mutating func begin(_ name: String, _ attributes: Range<Int>) throws(TraceError) {
    guard path.count < Self.maxDepth else {
      throw TraceError(line: scanner.line, "elements nested deeper than \(Self.maxDepth)")
    }
    guard !path.isEmpty || name == root else {
      throw TraceError(
        line: scanner.line, "the first element is \(Quoted.text(name)), not \"\(root)\"")
    }
    seesRoot = true
    path.append(name)
    if elements.isEmpty {
      if others.contains(name) { counts[name, default: 0] += 1 }
      guard name == self.name else { return }
      fault = nil
      length = 0
      count = 0
    }
    elements.append((XMLElement(name), []))
    count += 1
    grow(by: name.utf8.count + attributes.count)
    guard fault == nil else { return }
    do throws(TraceError) { try read(attributes) } catch { fault = Self.text(error) }
  }

  private mutating func read(_ attributes: Range<Int>) throws(TraceError) {
    var read: [(name: String, value: String)] = []
    try scanner.attributes(attributes) { (name, value) throws(TraceError) in
      var text: [UInt8] = []
      try scanner.appendText(value, to: &text)
      guard text.isUTF8 else { throw TraceError(line: scanner.line, NotUTF8.reason) }
      read.append(
        (
          String(decoding: scanner.bytes[name], as: UTF8.self),
          String(decoding: text, as: UTF8.self)
        ))
    }
    elements[elements.count - 1].element.attributes = read
  }

  private mutating func take(_ range: Range<Int>, isLiteral: Bool) {
    guard !elements.isEmpty else { return noteLink(range, isLiteral: isLiteral) }
    grow(by: range.count)
    guard fault == nil else { return }
    let last = elements.count - 1
    if isLiteral {
      elements[last].text.append(contentsOf: scanner.bytes[range])
      elements[last].element.isLiteral = true
      return
    }
    do throws(TraceError) {
      try scanner.appendText(range, to: &elements[last].text)
    } catch { fault = Self.text(error) }
  }

  /// For a KML file that has its placemarks elsewhere (Link, formerly Url).
  private mutating func noteLink(_ range: Range<Int>, isLiteral: Bool) {
    guard link == nil, path.last == "href", path.contains("NetworkLink") else { return }
    var text: [UInt8] = []
    if isLiteral {
      text.append(contentsOf: scanner.bytes[range])
    } else {
      guard (try? scanner.appendText(range, to: &text)) != nil else { return }
    }
    let words = String(decoding: text, as: UTF8.self).trimmed
    if !words.isEmpty { link = words }
  }

  private mutating func end() -> Item? {
    path.removeLast()
    guard let closed = elements.popLast() else { return nil }
    var element = closed.element
    if fault == nil, !closed.text.isUTF8 {
      fault = Self.text(TraceError(line: scanner.line, NotUTF8.reason))
    }
    element.text = String(decoding: closed.text, as: UTF8.self)
    guard !elements.isEmpty else { return Item(element: element, fault: fault) }
    if fault == nil { elements[elements.count - 1].element.children.append(element) }
    return nil
  }

  private mutating func grow(by bytes: Int) {
    length += bytes
    guard fault == nil else { return }
    if length > Self.maxLength {
      fault = JSONExtent.Excess.bytes.reason
    } else if count > Self.maxElements {
      fault = "it has more than \(Self.maxElements) elements: simplify its polygons"
    } else {
      return
    }
    elements = elements.map { (XMLElement($0.element.name), []) }
  }

  private static func text(_ error: TraceError) -> String {
    "line \(error.line): \(error.reason)"
  }
}
