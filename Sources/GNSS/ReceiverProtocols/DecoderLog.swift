/// What comes out of the decoders beside fixes: the counts, and what the receiver says of itself.
struct DecoderLog {
  var counters = DecoderCounters()
  /// Where the first of each kind of what was refused stands.
  private(set) var firstRefusals: [StreamRefusal: StreamPlace] = [:]
  /// How much had been refused when that was looked at last.
  private var refused: UInt64 = 0
  /// What nobody has taken yet, the oldest first.
  private var answers: [ReceiverAnswer] = []

  /// More than what a receiver's whole navigation database makes. Where nobody takes the answers,
  /// the older half goes when it is full.
  private static let room = 512

  mutating func take(_ answer: ReceiverAnswer) {
    counters.answers += 1
    if answers.count == Self.room { answers.removeFirst(Self.room / 2) }
    answers.append(answer)
  }

  /// Made once: it is gone through with every frame.
  private static let refusals = StreamRefusal.allCases

  /// Notes where what has been refused since the last call is the first of its kind.
  mutating func noteFirstRefusals(at place: StreamPlace) {
    let refused = Self.refusals.reduce(into: UInt64(0)) { $0 &+= counters.count(of: $1) }
    guard refused != self.refused else { return }
    self.refused = refused
    for refusal in Self.refusals
    where counters.count(of: refusal) > 0 && firstRefusals[refusal] == nil {
      firstRefusals[refusal] = place
    }
  }

  mutating func takeAnswers() -> [ReceiverAnswer] {
    guard !answers.isEmpty else { return [] }
    defer { answers = [] }
    return answers
  }
}

/// What passed through the decoder, by kind, and what it refused, by cause.
public struct DecoderCounters: Equatable, Sendable {
  public var bytes: UInt64 = 0

  // What was accepted: all that passed framing and checksum, known or not.
  public var nmeaSentences: UInt64 = 0
  public var ubxFrames: UInt64 = 0
  public var gpsdReports: UInt64 = 0
  public var comments: UInt64 = 0
  public var fixes: UInt64 = 0
  /// Epochs in which the receiver said that it has no fix.
  public var voidFixes: UInt64 = 0
  /// Dates that were 1024 or 2048 weeks old and were put right.
  public var weekRolloversCorrected: UInt64 = 0

  /// What the receiver or gpsd said about itself, and answers to commands.
  public var answers: UInt64 = 0

  // What was well formed but of no use here.
  public var unknownSentences: UInt64 = 0
  public var unknownFrames: UInt64 = 0
  public var rtcmFrames: UInt64 = 0
  /// Came after its epoch had been handed out.
  public var lateSentences: UInt64 = 0

  // What was refused.
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
  public var nullIslands: UInt64 = 0
  /// Places beyond the poles or the date line.
  public var impossiblePlaces: UInt64 = 0
  /// Fixes whose time had already been handed out: a frozen receiver or a repeating relay.
  public var repeatedEpochs: UInt64 = 0
  public var impossibleDates: UInt64 = 0

  public init() {}

  /// Frames of any protocol whose checksum or syntax was good: the line's speed is right.
  public var validFrames: UInt64 { nmeaSentences + ubxFrames + gpsdReports }

  /// Every counter under the name it has in `status` and `decode --stats`.
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

  /// The refusals alone, by cause.
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
