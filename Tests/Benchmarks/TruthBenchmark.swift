import Core

/// Not a measurement but the input of one: dense ground truth as CSV, 1 Hz, for any number of days.
/// The board walks a loop of a kilometre every third hour and stands otherwise.
enum TruthBenchmark {
  static func run(_ arguments: [String]) {
    let days = arguments.first.flatMap { Int($0) } ?? 1
    var bytes = Array("time,lat,lon\n".utf8)
    bytes.reserveCapacity(1 << 21)
    let start = UTCInstant(seconds: 1_767_225_600)
    for second in 0..<days * 86_400 {
      let inCycle = second % 10_800
      let way = inCycle < 900 ? Double(min(inCycle, 900 - inCycle)) * 1.4 : 0
      ISO8601.append(start + Seconds(Double(second)), digits: 0, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      FixedDecimal.append(52.1 + way * 9e-6, digits: 7, to: &bytes)
      bytes.append(contentsOf: ",5.2000000\n".utf8)
      if bytes.count > 1 << 20 { flush(&bytes) }
    }
    flush(&bytes)
  }

  private static func flush(_ bytes: inout [UInt8]) {
    bytes.withUnsafeBytes { StandardOutput.write($0) }
    bytes.removeAll(keepingCapacity: true)
  }
}
