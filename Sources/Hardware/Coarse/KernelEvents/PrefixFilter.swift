import CLinux
import Glibc

/// A program for the kernel's packet filter (Documentation/networking/filter.rst) that passes
/// messages beginning with one of a few texts.
struct PrefixFilter {
  /// A program may have 4096 instructions (linux/bpf_common.h, BPF_MAXINSNS), and the path of a
  /// device takes at most one for each byte. Of a longer text only this much is compared.
  static let maxLength = 900

  private(set) var program: [sock_filter] = []

  /// - Parameter prefixes: at most two.
  init(_ prefixes: [[UInt8]]) {
    // A load beyond the end of a message drops it, so the shorter prefix has to be tried first.
    for prefix in prefixes.prefix(2).sorted(by: { $0.count < $1.count }) {
      let texts = Self.words(Array(prefix.prefix(Self.maxLength)))
      for (index, word) in texts.enumerated() {
        program.append(Self.load(word.size, at: word.offset))
        // Equal: skip the jump to the next text. The jump is a separate instruction, which can hold
        // a larger distance.
        program.append(Self.instruction(BPF_JMP | BPF_JEQ | BPF_K, word.value, whenTrue: 1))
        let rest = UInt32(texts.count - 1 - index) * 3 + 1
        program.append(Self.instruction(BPF_JMP | BPF_JA, rest))
      }
      program.append(Self.instruction(BPF_RET | BPF_K, .max))
    }
    program.append(Self.instruction(BPF_RET | BPF_K, 0))
  }

  /// - Returns: whether it was attached; `errno` says why not.
  func attach(to socket: Int32) -> Bool {
    var program = program
    return program.withUnsafeMutableBufferPointer { instructions in
      var filter = sock_fprog(len: UInt16(instructions.count), filter: instructions.baseAddress)
      return setsockopt(
        socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
        socklen_t(MemoryLayout.size(ofValue: filter))) == 0
    }
  }

  /// A piece of a text as the filter loads it, in network byte order.
  private struct Word {
    var offset: Int
    var size: Int32
    var value: UInt32
  }

  private static func words(_ text: [UInt8]) -> [Word] {
    let whole = text.count / 4 * 4
    let fours = stride(from: 0, to: whole, by: 4).map { at in
      Word(
        offset: at, size: BPF_W, value: text[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    return fours
      + (whole..<text.count).map { Word(offset: $0, size: BPF_B, value: UInt32(text[$0])) }
  }

  private static func load(_ size: Int32, at offset: Int) -> sock_filter {
    instruction(BPF_LD | size | BPF_ABS, UInt32(offset))
  }

  private static func instruction(
    _ code: Int32, _ value: UInt32, whenTrue: UInt8 = 0
  ) -> sock_filter {
    sock_filter(code: UInt16(code), jt: whenTrue, jf: 0, k: value)
  }
}
