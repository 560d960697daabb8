import Core
import GNSS

/// The unusable parts of a receiver's recording, in words.
struct ReceivedLosses {
  let counters: DecoderCounters
  /// The first place of each kind.
  let firsts: [StreamRefusal: StreamPlace]

  /// Each kind with its count and the first place.
  var sentences: [String] { StreamRefusal.allCases.compactMap(sentence) }

  private func sentence(_ refusal: StreamRefusal) -> String? {
    let count = counters.count(of: refusal)
    guard count > 0 else { return nil }
    let place = firsts[refusal].map { ", the first: \(text(of: $0))" } ?? ""
    return refusal.text(count) + place + refusal.advice
  }

  /// Binary files have no line numbers.
  private func text(of place: StreamPlace) -> String {
    let isBinary =
      counters.ubxFrames + counters.badUBXChecksums > counters.nmeaSentences + counters.gpsdReports
    return isBinary ? "byte \(place.byte)" : "line \(place.line)"
  }

  /// Why a receiver's recording has no usable position, in words; nil: unknown.
  /// - Parameter undated: positions without a date.
  func causeOfNothing(undated: Int) -> String? {
    if counters.validFrames == 0, counters.missingChecksums > 0 {
      return "no sentence in it has a checksum; "
        + "--set receiver.accept_missing_checksums=true accepts them"
    }
    if undated > 0 {
      let positions = "its \(Counted.text(undated, "position has", "positions have")) no date"
      if let first = firsts[.impossibleDate] {
        let dates = Counted.text(counters.impossibleDates, "date")
        return "\(positions), because \(dates) in it are impossible, the first: \(text(of: first))"
      }
      return "\(positions): GGA and GLL contain only the time of day; record RMC or ZDA with them"
    }
    // Stray bytes alone only suggest that it may be another kind of file.
    let losses = StreamRefusal.allCases.filter { $0 != .garbage }.compactMap(sentence)
    guard counters.fixes == 0, !losses.isEmpty else { return nil }
    return "it contains no usable position: " + losses.joined(separator: "; ")
  }
}

extension StreamRefusal {
  /// What was lost because of it.
  fileprivate func text(_ count: UInt64) -> String {
    switch self {
    case .badChecksum: left(count, "sentence", "cut or with a wrong checksum")
    case .missingChecksum: left(count, "sentence", "without a checksum")
    case .overlongLine: left(count, "line", "without an end")
    case .malformedFields:
      left(count, "sentence", "with unreadable fields (digits, N, S, E, W)")
    case .badUBXChecksum: left(count, "UBX frame", "cut or with a wrong checksum")
    case .malformedFrame: left(count, "UBX frame", "too short for its kind")
    case .badJSON: left(count, "line", "of gpsd that cannot be read")
    case .gpsdError: "gpsd reported \(Counted.text(count, "error"))"
    case .garbage: left(count, "byte", "that belong to no sentence, frame or report")
    case .nullIsland: left(count, "position", "at exactly 0, 0")
    case .impossiblePlace: left(count, "position", "beyond the poles or the date line")
    case .repeatedEpoch:
      left(count, "position", "with the time of the previous one: its clock stands still")
    case .impossibleDate: left(count, "date", "that is impossible")
    }
  }

  private func left(_ count: UInt64, _ noun: String, _ quality: String) -> String {
    "left out \(Counted.text(count, noun)) \(quality)"
  }

  /// A possible remedy.
  fileprivate var advice: String {
    self == .missingChecksum
      ? "; if your receiver sends none, --set receiver.accept_missing_checksums=true" : ""
  }
}
