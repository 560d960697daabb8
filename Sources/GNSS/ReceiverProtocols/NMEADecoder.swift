import Core

/// A sentence that contains its time.
protocol TimedSentence: EpochPart {
  /// Its index in `EpochTime.seen`.
  static var slot: Int { get }
  /// Nanoseconds of the UTC day, or absent.
  var timeOfDay: Int64 { get }
  /// As received: the year may have two digits.
  var date: (year: Int, month: Int, day: Int)? { get }
}

extension TimedSentence {
  var date: (year: Int, month: Int, day: Int)? { nil }
}

/// Decodes NMEA 0183: data of an epoch goes to the assembler, the receiver's answers go into the
/// log.
struct NMEADecoder {
  private let acceptsMissingChecksums: Bool

  init(options: DecoderOptions) { acceptsMissingChecksums = options.acceptsMissingChecksums }

  /// A sentence without a checksum.
  func decode(
    unguarded body: UnsafeBufferPointer<UInt8>, at instant: BootInstant,
    _ epochs: inout EpochAssembler, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    if acceptsMissingChecksums {
      decode(body, at: instant, &epochs, &log, emit)
    } else {
      log.counters.missingChecksums += 1
    }
  }

  func decode(
    _ body: UnsafeBufferPointer<UInt8>, at instant: BootInstant,
    _ epochs: inout EpochAssembler, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    log.counters.nmeaSentences += 1
    guard let sentence = NMEASentence(body) else {
      return decode(proprietary: body, at: instant, &epochs, &log, emit)
    }
    var fields = NMEAFields(sentence.fields)
    switch sentence.formatter {
    case .gga: add(timed: GGA(&fields), fields)
    case .rmc: add(timed: RMC(&fields), fields)
    case .gsv: add(GSV(&fields, talker: sentence.talker), fields)
    case .gsa: add(GSA(&fields), fields)
    case .vtg: add(VTG(&fields), fields)
    case .gll: add(timed: GLL(&fields), fields)
    case .gns: add(timed: GNS(&fields), fields)
    case .gst: add(timed: GST(&fields), fields)
    case .zda: add(timed: ZDA(&fields), fields)
    case .txt: self.log(ReceiverAnswer.reading(text: sentence.fields), &log)
    // A manufacturer's letter and four letters of its own look like a talker and a formatter.
    default: self.log(ReceiverAnswer.reading(proprietary: body), &log)
    }

    @inline(__always)
    func add(_ part: some EpochPart, _ fields: NMEAFields) {
      guard accept(fields, &log) else { return }
      epochs.add(
        part, talker: sentence.talker, formatter: sentence.formatter.code, at: instant, &log, emit)
    }

    @inline(__always)
    func add(timed part: some TimedSentence, _ fields: NMEAFields) {
      guard accept(fields, &log),
        begin(part, talker: sentence.talker, &epochs, &log, emit)
      else { return }
      epochs.add(
        part, talker: sentence.talker, formatter: sentence.formatter.code, at: instant, &log, emit)
    }
  }

  /// PUBX,00, or an answer of the receiver.
  private func decode(
    proprietary body: UnsafeBufferPointer<UInt8>, at instant: BootInstant,
    _ epochs: inout EpochAssembler, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    guard let rest = NMEASentence.pubx(body) else {
      return self.log(ReceiverAnswer.reading(proprietary: body), &log)
    }
    var fields = NMEAFields(rest)
    let pubx = PUBX00(&fields)
    guard accept(fields, &log), begin(pubx, talker: 1, &epochs, &log, emit) else { return }
    epochs.add(pubx, talker: 1, formatter: 0, at: instant, &log, emit)
  }

  /// Opens the sentence's epoch; false if it was already emitted.
  @inline(__always)
  private func begin<Sentence: TimedSentence>(
    _ sentence: Sentence, talker: UInt16, _ epochs: inout EpochAssembler,
    _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) -> Bool {
    guard
      epochs.begin(
        timeOfDay: sentence.timeOfDay, slot: Sentence.slot, talker: talker, &log, emit)
    else { return false }
    if let date = sentence.date {
      epochs.setDate(year: date.year, month: date.month, day: date.day, &log)
    }
    return true
  }

  /// Counts a sentence with a malformed field, and returns false for it.
  @inline(__always)
  private func accept(_ fields: NMEAFields, _ log: inout DecoderLog) -> Bool {
    if fields.isMalformed { log.counters.malformedFields += 1 }
    return !fields.isMalformed
  }

  private func log(_ reading: ReceiverAnswer.Reading, _ log: inout DecoderLog) {
    switch reading {
    case .answer(let answer): log.take(answer)
    case .malformed: log.counters.malformedFields += 1
    case .none: log.counters.unknownSentences += 1
    }
  }
}
