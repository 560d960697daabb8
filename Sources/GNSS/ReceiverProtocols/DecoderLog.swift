/// The output of the decoders beside fixes: the counters, and the receiver's answers.
struct DecoderLog {
  var counters = DecoderCounters()
  /// The position in the stream of the first refusal of each kind.
  private(set) var firstRefusals: [StreamRefusal: StreamPlace] = [:]
  /// The number of refusals at the last check.
  private var refused: UInt64 = 0
  /// Unread answers, the oldest first.
  private var answers: [ReceiverAnswer] = []

  /// More than the messages of a receiver's whole navigation database. If answers are not read, the
  /// older half is dropped when it is full.
  private static let room = 512

  mutating func take(_ answer: ReceiverAnswer) {
    counters.answers += 1
    if answers.count == Self.room { answers.removeFirst(Self.room / 2) }
    answers.append(answer)
  }

  /// Stored, because every frame iterates over it.
  private static let refusals = StreamRefusal.allCases

  /// Records the position of the first refusal of each kind since the last call.
  mutating func noteFirstRefusals(at place: StreamPlace) {
    let refused = Self.refusals.reduce(into: UInt64(0)) { $0 &+= counters.count(of: $1) }
    guard refused != self.refused else { return }
    self.refused = refused
    for refusal in Self.refusals
    where counters.count(of: refusal) > 0 && firstRefusals[refusal] == nil {
      firstRefusals[refusal] = place
    }
  }

  mutating func drainAnswers() -> [ReceiverAnswer] {
    guard !answers.isEmpty else { return [] }
    defer { answers = [] }
    return answers
  }
}

/// The decoder's input by kind, and its refusals by cause.
public struct DecoderCounters: Equatable, Sendable {
  public var bytes: UInt64 = 0

  // Accepted: everything that passed framing and checksum, of known and unknown types.
  public var nmeaSentences: UInt64 = 0
  public var ubxFrames: UInt64 = 0
  public var gpsdReports: UInt64 = 0
  public var comments: UInt64 = 0
  public var fixes: UInt64 = 0
  /// Epochs in which the receiver reported that it has no fix.
  public var voidFixes: UInt64 = 0
  /// Dates that were 1024 or 2048 weeks early and were corrected.
  public var weekRolloversCorrected: UInt64 = 0

  /// Reports of the receiver or gpsd about itself, and answers to commands.
  var answers: UInt64 = 0

  // Well-formed input that is not used.
  var unknownSentences: UInt64 = 0
  var unknownFrames: UInt64 = 0
  public var rtcmFrames: UInt64 = 0
  /// Received after its epoch was completed.
  var lateSentences: UInt64 = 0

  // Refused input.
  public var badChecksums: UInt64 = 0
  public var missingChecksums: UInt64 = 0
  public var overlongLines: UInt64 = 0
  public var malformedFields: UInt64 = 0
  public var badUBXChecksums: UInt64 = 0
  public var malformedFrames: UInt64 = 0
  public var badJSON: UInt64 = 0
  public var gpsdErrors: UInt64 = 0
  public var garbageBytes: UInt64 = 0
  /// Positions of exactly 0/0.
  var nullIslands: UInt64 = 0
  /// Positions beyond the poles or the date line.
  public var impossiblePlaces: UInt64 = 0
  /// Fixes whose time was already emitted: a frozen receiver or a repeating relay.
  public var repeatedEpochs: UInt64 = 0
  public var impossibleDates: UInt64 = 0

  public init() {}

  /// Frames of any protocol with a valid checksum or syntax: they prove the line's speed.
  public var validFrames: UInt64 { nmeaSentences + ubxFrames + gpsdReports }

  /// Every counter with its name in `status` and `decode --stats`.
  public var named: [(name: StaticString, count: UInt64)] {
    [
      ("bytes", bytes), ("nmea_sentences", nmeaSentences), ("ubx_frames", ubxFrames),
      ("gpsd_reports", gpsdReports), ("comments", comments), ("fixes", fixes),
      ("void_fixes", voidFixes), ("answers", answers),
      ("week_rollovers_corrected", weekRolloversCorrected),
      ("unknown_sentences", unknownSentences), ("unknown_frames", unknownFrames),
      ("rtcm_frames", rtcmFrames), ("late_sentences", lateSentences),
    ] + refused
  }

  /// The refusals only, by cause.
  public var refused: [(name: StaticString, count: UInt64)] {
    [
      ("bad_checksums", badChecksums), ("missing_checksums", missingChecksums),
      ("overlong_lines", overlongLines), ("malformed_fields", malformedFields),
      ("bad_ubx_checksums", badUBXChecksums), ("malformed_frames", malformedFrames),
      ("bad_json", badJSON), ("gpsd_errors", gpsdErrors), ("garbage_bytes", garbageBytes),
      ("null_islands", nullIslands), ("impossible_places", impossiblePlaces),
      ("repeated_epochs", repeatedEpochs),
      ("impossible_dates", impossibleDates),
    ]
  }
}
