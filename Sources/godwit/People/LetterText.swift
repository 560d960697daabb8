import ArgumentParser
import Messaging
import Core

/// What a letter says, as it was given: the words themselves, or - for standard input.
struct LetterText: ParsableArguments {
  @Argument(help: "What it says; - reads it from standard input.") var text: String

  /// A letter may not have more; what goes beyond is told by how much there was, to some extent.
  private static let longest = 1 << 20

  func read() throws -> String {
    guard text == "-" else { return text }
    var bytes: [UInt8] = []
    do throws(FileFailure) {
      let input = try InputBytes(path: "-", advice: "give the text itself, or pipe it in")
      while bytes.count <= Self.longest, let piece = try input.next() { bytes += piece }
    } catch {
      throw CommandError.failed(error.description)
    }
    guard bytes.count <= Self.longest else {
      throw CommandError.wrongUsage(
        "text: more than \(Self.longest) bytes: shorten it to \(LetterLimits.text) at most")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError.wrongUsage("text: it is no UTF-8: convert it")
    }
    // Of a file or of echo.
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
