import FuzzInput
import Core
import GNSS

/// Output of a receiver: NMEA, UBX, RTCM and gpsd's JSON, mixed. The last two bytes determine how
/// strict the decoder is and how the bytes are split.
public final class ReceiverTarget: FuzzTarget {
  /// More than any frame that the decoder buffers; UBX has the longest.
  static let maxHeld = 70_000
  static let floor = UTCInstant(seconds: 1_767_225_600)  // 2026-01-01

  private var withChecksum: [UInt8] = []
  private var whole = Heard()
  private var cut = Heard()
  private var json = JSONWriter(reserving: 1024)

  /// The output of one decoder.
  private struct Heard {
    var fixes: [Fix] = []
    var answers: [ReceiverAnswer] = []
  }

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    guard input.count > 2 else { return }
    let flags = input[input.count - 1]
    let step = input[input.count - 2]
    withChecksum.removeAll(keepingCapacity: true)
    let bytes = UnsafeBufferPointer(rebasing: input[..<(input.count - 2)])
    // A checksum is the last thing a fuzzer guesses, so every other input gets valid ones.
    if flags & 1 == 0 { UBXSeal.append(bytes, to: &withChecksum) } else { withChecksum += bytes }
    let options = DecoderOptions(
      acceptsMissingChecksums: flags & 2 == 0, earliestDate: flags & 4 == 0 ? nil : Self.floor)
    let pause = flags & 8 == 0 ? nil : withChecksum.count * Int(flags >> 4) / 16

    var first = ReceiverDecoder(options: options)
    hear(&whole, with: &first, pause: pause) { _ in .max }
    for fix in whole.fixes {
      try fix.requireSound()
      try requireReadable(fix)
    }
    try require(whole.answers.count <= 512, "\(whole.answers.count) answers are kept")
    try require(first.counters.bytes == UInt64(withChecksum.count), "bytes are lost")

    var second = ReceiverDecoder(options: options)
    var dice = step
    hear(&cut, with: &second, pause: pause) { _ in
      dice = dice &* 77 &+ 13
      return 1 + Int(dice >> 2) % (1 + Int(step & 63))
    }
    try require(cut.fixes == whole.fixes, "cut bytes give other fixes: \(cut) not \(whole)")
    try require(cut.answers == whole.answers, "cut bytes give other answers")
    for (one, other) in zip(first.counters.named, second.counters.named) {
      try require(one.count == other.count, "cut bytes are counted otherwise: \(one) and \(other)")
    }
  }

  /// Feeds everything in pieces, with a silence at `pause`.
  private func hear(
    _ heard: inout Heard, with decoder: inout ReceiverDecoder, pause: Int?, piece: (Int) -> Int
  ) {
    heard.fixes.removeAll(keepingCapacity: true)
    var fixes = heard.fixes
    heard.fixes = []
    var start = 0
    while start < withChecksum.count {
      var end = min(piece(start), withChecksum.count - start) + start
      if let pause, start < pause { end = min(end, pause) }
      decoder.feed(withChecksum[start..<end], at: .zero) { fixes.append($0) }
      start = end
      if start == pause { decoder.flush(at: .zero) { fixes.append($0) } }
    }
    decoder.finish(at: .zero) { fixes.append($0) }
    heard.fixes = fixes
    heard.answers = decoder.drainAnswers()
  }

  private func requireReadable(_ fix: Fix) throws(Violation) {
    json.removeAll()
    FixJSON.write(fix, to: &json)
    let value = try? JSONValue(parsing: json.bytes)
    try require(value?["class"]?.string == "TPV", "no report: \(json.text)")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = ReceiverTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
