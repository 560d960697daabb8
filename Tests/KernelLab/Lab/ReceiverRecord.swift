/// The log of the simulated receiver: the truth from the hardware's side.
struct ReceiverRecord {
  struct Entry {
    /// Seconds on the board's clock.
    let time: Double
    let event: String
    let value: String
  }

  /// A period of one uninterrupted state, with the current in the registers.
  struct Stretch {
    let state: String
    let start: Double
    let end: Double
    let amperes: Double
    let volts: Double

    var duration: Double { end - start }
    var joules: Double { amperes * volts * duration }
    /// The energy visible in the chip's power register, which has whole steps of 625 µW and
    /// truncates (TI SBOS547B, section 7.5.2): half a step is added on average.
    var registerJoules: Double {
      let steps =
        Int((amperes / GnssStep.ampere).rounded()) * Int((volts / GnssStep.volt).rounded())
      return (Double(steps / 20_000) + 0.5) * 625e-6 * duration
    }
  }

  let entries: [Entry]

  init(_ text: String) throws {
    entries = try text.split(separator: "\n").map { line in
      let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      try require(fields.count == 3, "receiver.csv: '\(line)' is no entry")
      let time = try Double(fields[0]).required("receiver.csv: '\(line)' has no time")
      return Entry(time: time, event: String(fields[1]), value: String(fields[2]))
    }
  }

  func entries(_ event: String) -> [Entry] { entries.filter { $0.event == event } }

  /// The times when the line was high; a time still open at the end lasts until `end`.
  func supplied(until end: Double) -> [ClosedRange<Double>] {
    var ranges: [ClosedRange<Double>] = []
    var since: Double?
    for entry in entries("line") {
      if entry.value == "1" { since = since ?? entry.time }
      if entry.value == "0", let start = since {
        ranges.append(start...entry.time)
        since = nil
      }
    }
    if let start = since, start < end { ranges.append(start...end) }
    return ranges
  }

  /// The receiver's states between two times, with their currents.
  func stretches(from begin: Double, until end: Double) throws -> [Stretch] {
    let states = entries("state")
    return try states.enumerated().compactMap { index, entry in
      let fields = entry.value.split(separator: ",")
      try require(fields.count == 3, "receiver.csv: '\(entry.value)' is no state")
      let next = index + 1 < states.count ? states[index + 1].time : end
      let (from, to) = (max(entry.time, begin), min(next, end))
      guard to > from else { return nil }
      return Stretch(
        state: String(fields[0]), start: from, end: to, amperes: Double(fields[1]) ?? .nan,
        volts: Double(fields[2]) ?? .nan)
    }
  }

  /// Bytes that the receiver got while its line was low, plus those that it sent while its line was
  /// closed.
  var bytesIntoUnpowered: Int {
    entries("driven-unpowered").compactMap { Int($0.value) }.reduce(0, +)
  }
  var bytesUnheard: Int { entries("unheard").compactMap { Int($0.value) }.reduce(0, +) }
}

/// An INA226 across 100 mΩ.
private enum GnssStep {
  static let ampere = 25e-6
  static let volt = 1.25e-3
}

extension Results {
  func receiver() throws -> ReceiverRecord { try ReceiverRecord(text("receiver.csv")) }
}

extension ClosedRange<Double> {
  var length: Double { upperBound - lowerBound }
}
