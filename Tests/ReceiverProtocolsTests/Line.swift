import Quantities
import ReceiverProtocols

/// Sentences for tests.
enum Line {
  /// The body as a whole line, with `$`, its checksum and its end.
  static func sealed(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n"
  }

  /// What the decoder makes of a whole transcript.
  static func fixes(_ text: String, options: DecoderOptions = DecoderOptions()) -> [Fix] {
    decoded(Array(text.utf8), options: options).fixes
  }

  static func decoded(
    _ bytes: [UInt8], options: DecoderOptions = DecoderOptions()
  ) -> (fixes: [Fix], counters: DecoderCounters) {
    var decoder = ReceiverDecoder(options: options)
    var fixes: [Fix] = []
    decoder.feed(bytes, at: .zero) { fixes.append($0) }
    decoder.finish(at: .zero) { fixes.append($0) }
    return (fixes, decoder.counters)
  }
}
