import ArgumentParser
import Messaging
import Core

/// The text of a letter: the argument itself, or - for standard input.
struct LetterText: ParsableArguments {
  @Argument(help: "Text; - reads it from standard input.") var text: String

  /// The limit for reading. A letter is shorter; up to this limit, the error states the actual
  /// length.
  private static let longest = 1 << 20

  func read() throws -> String {
    guard text == "-" else { return text }
    var bytes: [UInt8] = []
    do throws(FileFailure) {
      let input = try InputBytes(path: "-", advice: "write the text as an argument, or pipe it in")
      while bytes.count <= Self.longest, let piece = try input.next() { bytes += piece }
    } catch {
      throw CommandError.failed(error.description)
    }
    guard bytes.count <= Self.longest else {
      throw CommandError.wrongUsage(
        "text: more than \(Self.longest) bytes: shorten it to at most \(MessagingLimits.text)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError.wrongUsage("text: it is not UTF-8: convert it")
    }
    // The line end of a file or of echo.
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
