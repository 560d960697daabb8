import Core

/// Writes an XML document piece by piece into bytes, which begin with its declaration. The caller
/// keeps the element order of a schema.
public struct XMLWriter: Sendable {
  public var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

  public init() {}

  /// Fixed markup of the program, unescaped.
  mutating func raw(_ markup: StaticString) {
    markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func element(_ name: StaticString, _ text: String) {
    element(name) { $0.text(text) }
  }

  mutating func element(_ name: StaticString, _ time: UTCInstant) {
    element(name) { ISO8601.append(time, to: &$0.bytes) }
  }

  /// Omits NaN and infinite values, which schemas do not allow.
  mutating func element(_ name: StaticString, _ number: Double, digits: Int) {
    guard number.isFinite else { return }
    element(name) { FixedDecimal.append(number, digits: digits, to: &$0.bytes) }
  }

  /// The start tag of an SVG 1.1 drawing, and its title.
  /// - Parameter fits: whether its width adapts to the surrounding page.
  mutating func beginDrawing(width: Double, height: Double, title: String, fits: Bool) {
    raw("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" role=\"img\" ")
    raw("font-family=\"sans-serif\" font-size=\"13\" fill=\"currentColor\"")
    if !fits {
      attribute("width", width, digits: 1)
      attribute("height", height, digits: 1)
    }
    raw(" viewBox=\"0 0 ")
    number(width, digits: 0)
    raw(" ")
    number(height, digits: 0)
    raw("\">\n")
    element("title", title)
  }

  /// Within a start tag.
  mutating func attribute(_ name: StaticString, _ value: Double, digits: Int) {
    raw(" ")
    raw(name)
    raw("=\"")
    number(value, digits: digits)
    raw("\"")
  }

  mutating func number(_ value: Double, digits: Int) {
    FixedDecimal.append(value, digits: digits, to: &bytes)
  }

  /// Text from the user, with XML's own characters escaped and characters invalid in XML omitted.
  mutating func text(_ text: String) {
    for scalar in text.unicodeScalars {
      // Two that are invalid in XML 1.0, in addition to control characters (its production 2).
      if scalar == "\u{FFFE}" || scalar == "\u{FFFF}" { continue }
      append(scalar)
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    for byte in String(scalar).utf8 {
      switch byte {
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "\""): raw("&quot;")
      case 0x09, 0x0A, 0x0D, 0x20...: bytes.append(byte)
      default: break
      }
    }
  }

  private mutating func element(_ name: StaticString, _ body: (inout XMLWriter) -> Void) {
    raw("<")
    raw(name)
    raw(">")
    body(&self)
    raw("</")
    raw(name)
    raw(">")
  }
}

/// An exporter whose text is XML.
protocol XMLExporter: Exporter {
  var xml: XMLWriter { get set }
}

extension XMLExporter {
  var output: [UInt8] {
    get { xml.bytes }
    set { xml.bytes = newValue }
  }
}
