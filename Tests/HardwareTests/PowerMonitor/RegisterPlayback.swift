import Hardware

/// A chip's registers from a transcript, and the log of accesses.
final class RegisterPlayback: RegisterBus {
  var registers: [UInt8: [UInt8]]
  /// "w00=4527" for writes, "r01" for reads.
  private(set) var transcript: [String] = []
  var failure: Int32?

  init(_ registers: [UInt8: [UInt8]]) { self.registers = registers }

  func read(_ register: UInt8, bytes: Int) throws(RegisterFault) -> [UInt8] {
    transcript.append("r" + Self.hexadecimal([register]))
    if let failure { throw RegisterFault("read register", code: failure) }
    return registers[register] ?? [UInt8](repeating: 0, count: bytes)
  }

  func write(_ register: UInt8, word: UInt16) throws(RegisterFault) {
    let bytes = [UInt8(word >> 8), UInt8(truncatingIfNeeded: word)]
    transcript.append("w" + Self.hexadecimal([register]) + "=" + Self.hexadecimal(bytes))
    if let failure { throw RegisterFault("write register", code: failure) }
    registers[register] = bytes
  }

  func clear() { transcript = [] }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
