import Core

/// Groups what a receiver says about one moment into one `Fix`.
///
/// An epoch ends when a sentence with another time arrives, when the sentence that was learnt to
/// end the receiver's cycle has arrived, or when the line falls silent. Sentences without a time
/// (GSA, GSV, VTG) belong to the epoch that is open.
struct EpochAssembler {
  private(set) var satellitesInView: Int?
  /// Whether the last epoch with a report said nothing of signals; false before the first.
  private(set) var lacksSignals = false
  /// Whether parts have come whose epoch may not be complete.
  private(set) var isOpen = false
  private var epoch = Epoch()
  private var dates: DateResolver
  private var held = HeldDimension()
  private var cycle = CycleEnd()
  private var last: CycleEnd.Mark?
  private var emitted: Emitted?
  /// UBX messages refused since one was in time.
  private var lateInRow = 0

  /// More parts than any receiver sends of one epoch.
  private static let maxLateInRow = 16

  /// The last epoch that was handed out.
  private struct Emitted {
    var moment: EpochTime
    var time: UTCInstant?
    var mode: FixMode
  }

  init(options: DecoderOptions) { dates = DateResolver(earliest: options.earliestDate) }

  // MARK: Boundaries

  /// Makes the epoch of this time of day the open one. False when that epoch has been handed out
  /// already, and the sentence comes too late. `slot` is the sentence's place in `EpochTime.seen`.
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

  /// Makes the epoch of this GPS time of week (UBX, milliseconds) the open one; `timeOfDay` is
  /// known to some messages only.
  mutating func begin(
    timeOfWeek: Int64, timeOfDay: Int64, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) -> Bool {
    // What belongs to an earlier moment must not end a later one: HNR-PVT comes between NAV's.
    // But a receiver's clock may be set back, or stand still: then everything would come too late.
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

  /// Takes a part of the open epoch in; hands the epoch out if that was its last.
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
    if let end = cycle.learnt, end == mark, epoch.hasReport { handOut(&log, emit) }
  }

  /// The line has fallen silent, or the input has ended. Only the end of the input may be in the
  /// midst of a cycle.
  mutating func complete(
    isCycleEnd: Bool, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    guard isOpen, epoch.hasReport else { return }
    if isCycleEnd, let last { cycle.ended(with: last) }
    handOut(&log, emit)
  }

  /// The receiver itself says that the epoch is complete (UBX NAV-EOE).
  mutating func complete(
    timeOfWeek: Int64, _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    if epoch.time.ofWeek == timeOfWeek { complete(isCycleEnd: true, &log, emit) }
  }

  /// Another epoch begins.
  private mutating func close(_ log: inout DecoderLog, _ emit: (Fix) -> Void) {
    guard isOpen else { return }
    if let last { cycle.ended(with: last) }
    handOut(&log, emit)
  }

  // MARK: Dates

  /// The open epoch's date.
  mutating func tell(year: Int, month: Int, day: Int, _ log: inout DecoderLog) {
    if let day = dates.day(year: year, month: month, day: day, counters: &log.counters) {
      epoch.time.day = day
    }
  }

  /// The open epoch's date, unless another part has told it.
  mutating func tell(_ clock: UBXClock, _ log: inout DecoderLog) {
    guard epoch.time.day == nil else { return }
    tell(year: clock.year, month: clock.month, day: clock.day, &log)
    if clock.isDayBefore { epoch.time.day = epoch.time.day.map { $0 - 1 } }
  }

  // MARK: Handing out

  private mutating func handOut(_ log: inout DecoderLog, _ emit: (Fix) -> Void) {
    var finished = epoch
    epoch = Epoch()
    isOpen = false
    held.apply(to: &finished)
    if let total = finished.satellitesInView { satellitesInView = total }
    let moment = finished.time
    let time = dates.instant(
      timeOfDay: moment.ofDay, told: moment.day, received: moment.received)
    guard finished.hasReport else { return }
    lacksSignals = !finished.tellsSignals
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

/// Some receivers send GSA and GGA less often than RMC: what they said of the fix's dimension holds
/// for the epochs between, for a while.
private struct HeldDimension {
  /// Epochs without GSA and altitude for which the last word is believed. The slowest habit seen
  /// in the field is every fifth epoch.
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

/// Learns which sentence ends a receiver's cycle, so that an epoch can be handed out at once and
/// not when the next one begins: while the decoder waits, the receiver draws current.
struct CycleEnd {
  /// A sentence and how often its like had come before in the epoch.
  struct Mark: Equatable {
    let code: UInt64

    init(talker: UInt16, formatter: UInt32, ordinal: Int) {
      code = UInt64(formatter) | UInt64(talker) << 32 | UInt64(truncatingIfNeeded: ordinal) << 48
    }
  }

  /// Epochs that must end alike before the end is believed.
  private static let confirmations = 2

  private var candidate: Mark?
  private var timesSeen = 0

  /// The sentence after which the epoch is complete, once learnt.
  var learnt: Mark? { timesSeen >= Self.confirmations ? candidate : nil }

  /// An epoch was seen to end with this sentence: a new time began, or the line fell silent.
  mutating func ended(with last: Mark) {
    if candidate == last {
      timesSeen = min(timesSeen + 1, Self.confirmations)
    } else {
      candidate = last
      timesSeen = 1
    }
  }

  /// Something of the same epoch came after the supposed end.
  mutating func forget() {
    candidate = nil
    timesSeen = 0
  }
}
