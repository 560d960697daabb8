/// Splits what a client of the control socket sends into lines. The memory for an incomplete line
/// is bounded.
package struct RequestLines: Sendable {
  /// The maximum size of a request in bytes: the longest message of a group, with its quotes
  /// escaped.
  package static let maxLength = 1 << 18

  private var pending: [UInt8] = []

  package init() {}

  /// Whether the incomplete line is longer than any request: the client has to be disconnected.
  package var isOverlong: Bool { pending.count > Self.maxLength }

  package mutating func append(_ bytes: some Sequence<UInt8>) { pending += bytes }

  /// The next complete line, without its end.
  package mutating func next() -> [UInt8]? {
    guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { pending.removeFirst(end + 1) }
    return Array(pending[..<end])
  }
}
