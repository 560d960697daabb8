import Core

/// Groups a receiver's output about one moment into one `Fix`.
///
/// An epoch ends when a sentence with another time arrives, when the sentence arrives that was
/// learnt to end the receiver's cycle, or when the line falls silent. Sentences without a time
/// (GSA, GSV, VTG) belong to the open epoch.
struct EpochAssembler {
  private(set) var satellitesInView: Int?
  /// Whether the last epoch with a report had no signal reports; false before the first.
  private(set) var lacksSignals = false
  /// Whether the open epoch has parts and may be incomplete.
  private(set) var isOpen = false
  private var epoch = Epoch()
  private var dates: DateResolver
  private var held = HeldDimension()
  private var cycle = CycleEnd()
  private var last: CycleEnd.Mark?
  private var emitted: Emitted?
  /// The number of late UBX messages since the last timely one.
  private var lateInRow = 0

  /// More parts than any receiver sends in one epoch.
  private static let maxLateInRow = 16

  /// The last epoch that was emitted.
  private struct Emitted {
    var moment: EpochTime
    var time: UTCInstant?
    var mode: FixMode
  }

  init(options: DecoderOptions) { dates = DateResolver(earliest: options.earliestDate) }

  // MARK: Boundaries

  /// Opens the epoch with this time of day. False if that epoch was already emitted, so that the
  /// sentence is too late. `slot` is the sentence's index in `EpochTime.seen`.
  @inline(__always)
  mutating func begin(
    timeOfDay: Int64, slot: Int, talker: UInt16, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) -> Bool {
    if epoch.time.seen[slot] == talker || epoch.time.differs(from: timeOfDay) {
      close(&log, emit)
    }
    if epoch.time.ofDay < 0, timeOfDay >= 0 {
      if let moment = emitted?.moment, moment.seen[slot] != talker, moment.ofDay >= 0,
        !moment.differs(from: timeOfDay)
      {
        return refuseLate(&log)
      }
      epoch.time.ofDay = timeOfDay
    }
    epoch.time.seen[slot] = talker
    return true
  }

  /// Opens the epoch with this GPS time of week (UBX, milliseconds); only some messages have
  /// `timeOfDay`.
  mutating func begin(
    timeOfWeek: Int64, timeOfDay: Int64, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) -> Bool {
    // A part of an earlier moment must not end a later epoch: HNR-PVT arrives between NAV messages.
    // But if a receiver's clock is set back or stands still, every message would be too late.
    let isClockReset = lateInRow >= Self.maxLateInRow
    if epoch.time.isAfter(timeOfWeek: timeOfWeek), !isClockReset {
      lateInRow += 1
      return refuseLate(&log)
    }
    if epoch.time.differs(from: timeOfDay)
      || (epoch.time.ofWeek >= 0 && epoch.time.ofWeek != timeOfWeek)
    {
      close(&log, emit)
    }
    if epoch.time.ofWeek < 0, emitted?.moment.ofWeek == timeOfWeek, !isClockReset {
      lateInRow += 1
      return refuseLate(&log)
    }
    lateInRow = 0
    epoch.time.ofWeek = timeOfWeek
    if timeOfDay >= 0, epoch.time.ofDay < 0 { epoch.time.ofDay = timeOfDay }
    return true
  }

  private mutating func refuseLate(_ log: inout DecoderLog) -> Bool {
    log.counters.lateSentences += 1
    cycle.forget()
    return false
  }

  /// Adds a part to the open epoch; emits the epoch if that was its last part.
  @inline(__always)
  mutating func add(
    _ part: some EpochPart, talker: UInt16, formatter: UInt32, at instant: BootInstant,
    _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    epoch.add(part)
    isOpen = true
    epoch.time.received = instant
    let mark = CycleEnd.Mark(talker: talker, formatter: formatter, ordinal: epoch.groupEnded)
    last = mark
    if let end = cycle.learnt, end == mark, epoch.hasReport { emitEpoch(&log, emit) }
  }

  /// The line has fallen silent, or the input has ended. Only the end of the input may be within a
  /// cycle.
  mutating func complete(
    isCycleEnd: Bool, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    guard isOpen, epoch.hasReport else { return }
    if isCycleEnd, let last { cycle.ended(with: last) }
    emitEpoch(&log, emit)
  }

  /// The receiver reports that the epoch is complete (UBX NAV-EOE).
  mutating func complete(
    timeOfWeek: Int64, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    if epoch.time.ofWeek == timeOfWeek { complete(isCycleEnd: true, &log, emit) }
  }

  /// Another epoch begins.
  private mutating func close(_ log: inout DecoderLog, _ emit: (Fix) -> Void) {
    guard isOpen else { return }
    if let last { cycle.ended(with: last) }
    emitEpoch(&log, emit)
  }

  // MARK: Dates

  /// The open epoch's date.
  mutating func setDate(year: Int, month: Int, day: Int, _ log: inout DecoderLog) {
    if let day = dates.day(year: year, month: month, day: day, counters: &log.counters) {
      epoch.time.day = day
    }
  }

  /// The open epoch's date, unless another part has reported it.
  mutating func setDate(_ clock: UBXClock, _ log: inout DecoderLog) {
    guard epoch.time.day == nil else { return }
    setDate(year: clock.year, month: clock.month, day: clock.day, &log)
    if clock.isDayBefore { epoch.time.day = epoch.time.day.map { $0 - 1 } }
  }

  // MARK: Emission

  private mutating func emitEpoch(_ log: inout DecoderLog, _ emit: (Fix) -> Void) {
    var finished = epoch
    epoch = Epoch()
    isOpen = false
    held.apply(to: &finished)
    if let total = finished.satellitesInView { satellitesInView = total }
    let moment = finished.time
    let time = dates.instant(
      timeOfDay: moment.ofDay, stated: moment.day, received: moment.received)
    guard finished.hasReport else { return }
    lacksSignals = !finished.hasSignalReport
    if finished.position.isImpossible { log.counters.impossiblePlaces += 1 }

    var mode = finished.mode
    if mode != .none, finished.position.isNullIsland {
      log.counters.nullIslands += 1
      mode = .none
    }
    let previous = emitted
    emitted = Emitted(moment: moment, time: time, mode: mode)
    if mode != .none, moment.ofDay >= 0, moment.ofDay == previous?.moment.ofDay,
      time == previous?.time, let before = previous?.mode, before >= mode
    {
      log.counters.repeatedEpochs += 1
      return
    }
    if mode == .none { log.counters.voidFixes += 1 } else { log.counters.fixes += 1 }
    emit(finished.fix(mode: mode, time: time))
  }
}

/// Some receivers send GSA and GGA less often than RMC. The last reported fix dimension applies to
/// the epochs between, for a limited time.
private struct HeldDimension {
  /// The number of epochs without GSA and altitude for which the last report applies. The slowest
  /// rate observed in the field is every fifth epoch.
  private static let maxAge = 10

  private var dimension = 0
  private var age = 0

  mutating func apply(to epoch: inout Epoch) {
    guard epoch.hasReport else { return }
    if epoch.mode == .none {
      dimension = 0
    } else if epoch.dimension > 0 || epoch.hasAltitude {
      dimension = epoch.mode.rawValue
      age = 0
    } else if dimension > 0, age < Self.maxAge {
      epoch.raiseDimension(to: dimension)
      age += 1
    }
  }
}

/// Learns which sentence ends a receiver's cycle, so that an epoch is emitted at once and not when
/// the next one begins: while the decoder waits, the receiver draws current.
struct CycleEnd {
  /// A sentence, and the number of similar ones before it in the epoch.
  struct Mark: Equatable {
    let code: UInt64

    init(talker: UInt16, formatter: UInt32, ordinal: Int) {
      code = UInt64(formatter) | UInt64(talker) << 32 | UInt64(truncatingIfNeeded: ordinal) << 48
    }
  }

  /// The number of epochs that must end alike before the end counts as learnt.
  private static let confirmations = 2

  private var candidate: Mark?
  private var timesSeen = 0

  /// The sentence after which the epoch is complete, once learnt.
  var learnt: Mark? { timesSeen >= Self.confirmations ? candidate : nil }

  /// An epoch ended with this sentence: a new time began, or the line fell silent.
  mutating func ended(with last: Mark) {
    if candidate == last {
      timesSeen = min(timesSeen + 1, Self.confirmations)
    } else {
      candidate = last
      timesSeen = 1
    }
  }

  /// A part of the same epoch arrived after the supposed end.
  mutating func forget() {
    candidate = nil
    timesSeen = 0
  }
}
