import Core

/// One item of a JSON file: its value, or its fault.
enum JSONItem: Sendable {
  case value(JSONValue)
  case faulty(String)

  init(_ extent: JSONExtent, at start: Int) {
    if let excess = extent.excess {
      self = .faulty(excess.reason)
      return
    }
    // RFC 8259, section 8.1.
    guard extent.bytes.isUTF8 else {
      self = .faulty(NotUTF8.reason)
      return
    }
    do {
      self = .value(try JSONValue(parsing: extent.bytes))
    } catch {
      let rest = extent.bytes.dropFirst(error.offset)
      let isNumber = ["NaN", "Infinity"].contains { rest.starts(with: $0.utf8) }
      let reason = isNumber ? "JSON has no NaN and no Infinity: write null" : error.reason
      self = .faulty("not JSON at byte \(start + error.offset): \(reason)")
    }
  }

  init(fault: String, at start: Int) { self = .faulty("at byte \(start): \(fault)") }

  var fault: String? {
    guard case .faulty(let reason) = self else { return nil }
    return reason
  }
}
