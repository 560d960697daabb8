import Core
import GNSS

/// The decoder alone on one core: bytes in memory to fixes, fed in pieces like a file.
enum DecodeBenchmark {
  private static let piece = 1 << 20

  static func run(_ arguments: [String]) throws {
    let bytes = try arguments.first.map(FileBytes.read) ?? Transcript.bytes(seconds: 86_400)
    var fixes = 0
    var checksum = 0.0
    let seconds = Stopwatch.best {
      fixes = 0
      var decoder = ReceiverDecoder()
      let take: (Fix) -> Void = {
        fixes += 1
        checksum += $0.position?.latitude.value ?? 0
      }
      bytes.withUnsafeBytes { all in
        var rest = all[...]
        while !rest.isEmpty {
          decoder.feed(UnsafeRawBufferPointer(rebasing: rest.prefix(piece)), at: .zero, emit: take)
          rest = rest.dropFirst(piece)
        }
      }
      decoder.finish(at: .zero, emit: take)
    }
    let megabytes = Double(bytes.count) / 1e6
    print("decode: \(Stopwatch.text(megabytes)) MB, \(fixes) fixes (check \(checksum))")
    print("decode: \(Stopwatch.text(megabytes / seconds)) MB/s")
    print("decode: \(Stopwatch.text(Double(fixes) / seconds)) fixes/s")
  }
}

/// Endless random bytes: the decoder must neither trap nor grow.
enum NoiseBenchmark {
  static func run(_ arguments: [String]) {
    let megabytes = arguments.first.flatMap { Int($0) } ?? 256
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    var decoder = ReceiverDecoder(options: .init(acceptsMissingChecksums: true))
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var fixes = 0
    var seconds = 0.0
    var before = 0.0
    for index in 0..<megabytes {
      fill(&piece, &state)
      let start = Stopwatch.cpu
      decoder.feed(piece, at: .zero) { _ in fixes += 1 }
      seconds += Stopwatch.cpu - start
      if index == 0 { before = Stopwatch.peakMemory }
    }
    decoder.finish(at: .zero) { _ in fixes += 1 }
    let growth = Stopwatch.peakMemory - before
    print(
      "noise: \(megabytes) MB at \(Stopwatch.text(Double(megabytes) * 1.048576 / seconds)) MB/s")
    print("noise: \(fixes) fixes; grown by \(Stopwatch.text(growth)) MB")
    for (name, count) in decoder.counters.refused where count > 0 {
      print("noise: \(name) \(count)")
    }
  }

  /// SplitMix64.
  private static func fill(_ bytes: inout [UInt8], _ state: inout UInt64) {
    bytes.withUnsafeMutableBytes { raw in
      for offset in stride(from: 0, to: raw.count, by: 8) {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        raw.storeBytes(of: z ^ (z >> 31), toByteOffset: offset, as: UInt64.self)
      }
    }
  }
}
