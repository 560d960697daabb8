import Ports
import Core
import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// Reads the daemon's lines one by one.
struct ControlLineReader {
  /// Far more than any answer of the daemon, in bytes.
  private static let maxLineSize = 1 << 18

  private let descriptor: Int32
  private let path: String
  /// Bytes received after the last line.
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// - Throws: if no line arrives by then.
  mutating func next(until end: BootInstant) throws(PortError) -> [UInt8] {
    while true {
      if let line = try takeLine() { return line }
      guard BootClock.now < end, BootClock.wait(for: descriptor, until: end) else {
        let what =
          buffer.isEmpty ? "no answer" : "only \(Counted.text(buffer.count, "byte")) of an answer"
        throw PortError("\(path): \(what) in time; see the daemon's journal")
      }
      guard receive() != .end else {
        throw PortError("\(path): the daemon closed the connection")
      }
    }
  }

  /// Blocks without a timeout; nil: the daemon has ended.
  mutating func next() throws(PortError) -> [UInt8]? {
    while true {
      if let line = try takeLine() { return line }
      guard BootClock.wait(for: descriptor, until: BootClock.now + .hours(1)) else { continue }
      guard receive() != .end else { return nil }
    }
  }

  /// The next line if it has arrived; does not block.
  /// - Parameter isOpen: set to false at the end of the stream.
  mutating func nextIfThere(isOpen: inout Bool) throws(PortError) -> [UInt8]? {
    while true {
      if let line = try takeLine() { return line }
      switch receive() {
      case .some: continue
      case .none: return nil
      case .end:
        isOpen = false
        return nil
      }
    }
  }

  private mutating func takeLine() throws(PortError) -> [UInt8]? {
    if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      defer { buffer.removeSubrange(...end) }
      return Array(buffer[..<end])
    }
    guard buffer.count <= Self.maxLineSize else {
      throw PortError(
        "\(path): the answer has more than \(Self.maxLineSize) bytes; is it another program's "
          + "socket?")
    }
    return nil
  }

  private enum Arrival { case some, none, end }

  private mutating func receive() -> Arrival {
    var chunk = [UInt8](repeating: 0, count: 8192)
    let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .none : .end }
    buffer += chunk[..<count]
    return count > 0 ? .some : .end
  }
}
