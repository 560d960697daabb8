import Core
import FuzzInput
import Messaging

/// A file of letters from an untrusted source. The last byte determines how it is split.
public final class LettersTarget: FuzzTarget {
  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    guard let last = input.last else { return }
    let bytes = Array(input.dropLast())
    let whole = LetterFileReader.entries(of: bytes)
    let cut = entries(of: bytes, piece: 1 + Int(last))
    try require(whole == cut, "cut: \(cut) not \(whole)")
    try require(
      whole.map(\.number) == Array(1..<whole.count + 1), "numbers: \(whole.map(\.number))")
    var messages: [PeerMessage] = []
    for entry in whole {
      switch entry.message {
      case .success(let message):
        try requireStable(message)
        messages.append(message)
      case .failure: try require(entry.description.count > 10, "no reason: \(entry)")
      }
    }
    let again = LetterFileReader.entries(of: messages.flatMap { LetterFile.line($0) })
    try require(
      again.map(\.message) == messages.map { .success($0) }, "another file: \(again)")
  }

  /// Written and read again it has the same bytes, by which a broker recognises it.
  private func requireStable(_ message: PeerMessage) throws(Violation) {
    let bytes = message.bytes
    try require(
      bytes.count <= MessagingLimits.letterMessage, "it grew to \(bytes.count) bytes: \(message)")
    do throws(MessageError) {
      let again = try PeerMessage(bytes)
      guard again == message, again.bytes == bytes else {
        throw MessageError("another message")
      }
    } catch {
      throw Violation("\(error): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private func entries(of bytes: [UInt8], piece: Int) -> [LetterFileEntry] {
    var reader = LetterFileReader()
    var entries: [LetterFileEntry] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      reader.feed(bytes[start..<min(start + piece, bytes.count)], into: &entries)
    }
    reader.finish(into: &entries)
    return entries
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = LettersTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
