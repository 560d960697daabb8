import Core
import GNSS

/// Sentences for tests.
enum Line {
  /// The body as a whole line with `$`, checksum and line end.
  static func withChecksum(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(sum < 16 ? "0" : "")\(digits)\r\n"
  }

  /// The fixes decoded from a whole transcript.
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

/// UBX frames for tests.
enum UBX {
  static func frame(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = [UInt8(truncatingIfNeeded: payload.count), UInt8(payload.count >> 8)]
    let body = [messageClass, id] + count + payload
    var (a, b) = (UInt8(0), UInt8(0))
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xb5, 0x62] + body + [a, b]
  }

  static func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// NAV-PVT of 2026-05-01 12:00 and `second`.
  static func pvt(
    second: UInt8, fixType: UInt8 = 3, flags: UInt8 = 1, latitude: Int32 = 520_716_667,
    nano: Int32 = 0, flags3: UInt8 = 0
  ) -> [UInt8] {
    var payload: [UInt8] = bytes(UInt32(475_200_000) + UInt32(second) * 1000)
    payload += bytes(UInt16(2026)) + [5, 1, 12, 0, second, 7]
    payload += bytes(UInt32(20)) + bytes(nano) + [fixType, flags, 0, 9]
    payload += bytes(Int32(51_200_000)) + bytes(latitude) + bytes(Int32(50_000))
    payload += bytes(Int32(5_000)) + bytes(UInt32(2_500)) + bytes(UInt32(4_000))
    payload += bytes(Int32(0)) + bytes(Int32(0)) + bytes(Int32(-250)) + bytes(Int32(1_500))
    payload += bytes(Int32(-9_000_000)) + bytes(UInt32(300)) + bytes(UInt32(0))
    payload += bytes(UInt16(190)) + [flags3] + [UInt8](repeating: 0, count: 13)
    return frame(0x01, 0x07, payload)
  }
}

/// Bytes for tests in the notation of data sheets and transcripts.
enum Hex {
  /// Two digits per byte, with or without blanks between them.
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    precondition(digits.count % 2 == 0)
    var rest = digits[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      bytes.append(UInt8(rest.prefix(2), radix: 16)!)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
