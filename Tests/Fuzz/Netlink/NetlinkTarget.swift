import FuzzInput
import Hardware

/// A buffer of netlink messages with nested attributes.
public final class NetlinkTarget: FuzzTarget {
  /// Deeper than any answer that is read (a BSS's attributes are nested once in a message's).
  private static let depth = 4
  private var steps = 0

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    // Aligned like the buffers of queries and listeners, and no byte longer than the input.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 8)
    defer { buffer.deallocate() }
    buffer.copyBytes(from: input)
    let bytes = UnsafeRawBufferPointer(buffer)
    steps = 0
    var failure: Violation?
    NetlinkMessage.forEach(in: bytes) { message in
      guard failure == nil else { return }
      do throws(Violation) { try walk(message, bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func walk(
    _ message: NetlinkMessage, _ bytes: UnsafeRawBufferPointer
  ) throws(Violation) {
    try requireWithin(message.payload, bytes)
    try count(bytes)
    if let (_, attributes) = message.split(UInt32.self) {
      try walk(attributes, bytes, depth: Self.depth)
    }
    if let (_, attributes) = message.split((UInt64, UInt64).self) {
      try walk(attributes, bytes, depth: Self.depth)
    }
  }

  private func walk(
    _ attributes: NetlinkAttributes, _ bytes: UnsafeRawBufferPointer, depth: Int
  ) throws(Violation) {
    for attribute in attributes {
      try requireWithin(attribute.payload, bytes)
      try count(bytes)
      try require(attribute.text.utf8.count <= 3 * attribute.payload.count, "a longer text")
      let number = attribute.value(UInt32.self)
      try require((number != nil) == (attribute.payload.count == 4), "a number of another length")
      if depth > 0 { try walk(attribute.nested, bytes, depth: depth - 1) }
    }
  }

  private func requireWithin(
    _ part: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer
  ) throws(Violation) {
    guard let start = part.baseAddress, let first = bytes.baseAddress, !part.isEmpty else { return }
    try require(
      start >= first && start + part.count <= first + bytes.count,
      "\(part.count) bytes beyond the \(bytes.count)")
  }

  /// Each message takes at least 16 bytes, each attribute 4, at each depth and for either header.
  private func count(_ bytes: UnsafeRawBufferPointer) throws(Violation) {
    steps += 1
    try require(steps <= (2 * (Self.depth + 1) + 1) * (bytes.count / 4 + 1), "it has no end")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = NetlinkTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
