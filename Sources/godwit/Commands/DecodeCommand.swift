import ArgumentParser
import Formats
import Glibc
import Core
import GNSS

/// `godwit decode`: a receiver's bytes in, one JSON line for each fix out.
struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Print a receiver's recording as one JSON line per fix, with gpsd's TPV keys.",
    discussion: """
      Reads NMEA 0183, UBX and gpsd's JSON, also mixed. Epochs without a fix are printed with \
      mode 1.
      """)

  @Argument(help: "Recording, or - for standard input.", completion: .file())
  var file: String

  @Flag(help: "Accept NMEA sentences without a checksum. A wrong checksum is always rejected.")
  var acceptMissingChecksums = false

  @Flag(help: "At the end, print counts of accepted and rejected input as JSON on standard error.")
  var stats = false

  func run() throws {
    let input = try InputBytes(path: file)
    var decoder = ReceiverDecoder(
      options: DecoderOptions(acceptsMissingChecksums: acceptMissingChecksums))
    var output = OutputBytes(descriptor: STDOUT_FILENO, name: "standard output")
    var isFirst = true
    // A recording has no arrival times.
    while let bytes = try input.next() {
      if isFirst, let cause = TraceFormat.causeOfNoText(Array(bytes.prefix(64))) {
        throw CommandError.failed("\(file): \(cause)")
      }
      isFirst = false
      decoder.feed(bytes, at: .zero) { output.write($0) }
      // A short piece may be all that a live source has delivered so far.
      try output.flush(beyond: bytes.count < InputBytes.pieceSize ? 0 : OutputBytes.flushThreshold)
    }
    decoder.finish(at: .zero) { output.write($0) }
    try output.flush(beyond: 0)
    if stats { try printStatistics(decoder.counters) }
    if let complaint = complaint(decoder.counters) { throw CommandError.failed(complaint) }
  }

  /// The error message if there was input, but nothing could be decoded.
  private func complaint(_ counters: DecoderCounters) -> String? {
    guard counters.bytes > 0, counters.validFrames == 0 else { return nil }
    return counters.missingChecksums > 0
      ? "\(file): no sentence in it has a checksum; --accept-missing-checksums accepts them"
      : "\(file): it contains no NMEA, UBX or gpsd JSON; check the speed of the serial line. "
        + "--stats counts what was rejected"
  }

  private func printStatistics(_ counters: DecoderCounters) throws {
    var output = OutputBytes(descriptor: STDERR_FILENO, name: "standard error")
    output.json.object { json in
      for (name, count) in counters.named {
        json.field(name, Int(clamping: count))
      }
    }
    output.json.newline()
    try output.flush(beyond: 0)
  }
}

extension OutputBytes {
  fileprivate mutating func write(_ fix: Fix) {
    FixJSON.write(fix, to: &json)
    json.newline()
  }
}
