import Quantities

/// Groups what a receiver says about one moment into one `Fix`.
///
/// An epoch ends when a sentence with another time arrives, when the sentence that was learnt to
/// end the receiver's cycle has arrived, or when the line falls silent. Sentences without a time
/// (GSA, GSV, VTG) belong to the epoch that is open.
struct EpochAssembler {
  /// UBX gives the time to the nanosecond and NMEA rounds it to 10 ms: within half of that, both
  /// speak of one epoch.
  private static let sameMoment: Int64 = 5_000_000

  var epoch = Epoch()
  var counters = DecoderCounters()
  private(set) var satellitesInView: Int?
  /// GPS ahead of UTC, once the receiver has told it.
  var leapSeconds: Int64?
  var answers = AnswerQueue()

  private(set) var isOpen = false
  private var dates: DateResolver
  private var held = HeldDimension()
  private var cycle = CycleEnd()
  private var last: CycleEnd.Mark?
  private var emitted: Emitted?

  /// The last epoch that was handed out.
  private struct Emitted {
    var timeOfDay: Int64
    var timeOfWeek: Int64
    var seen: SIMD8<UInt16>
    var time: UTCInstant?
    var mode: FixMode
  }

  init(options: DecoderOptions) { dates = DateResolver(earliest: options.earliestDate) }

  // MARK: Boundaries

  /// Makes the epoch of this time of day the open one. False when that epoch has been handed out
  /// already, and the sentence comes too late. `slot` is the sentence's place in `Epoch.seen`.
  @inline(__always)
  mutating func begin(
    timeOfDay: Int64, slot: Int, talker: UInt16, emit: (Fix) -> Void
  ) -> Bool {
    if epoch.seen[slot] == talker || isAnother(timeOfDay, than: epoch.timeOfDay) {
      close(emit: emit)
    }
    if epoch.timeOfDay < 0, timeOfDay >= 0 {
      if let emitted, emitted.seen[slot] != talker, emitted.timeOfDay >= 0,
        !isAnother(timeOfDay, than: emitted.timeOfDay)
      {
        return isLate()
      }
      epoch.timeOfDay = timeOfDay
    }
    epoch.seen[slot] = talker
    return true
  }

  /// Makes the epoch of this GPS time of week (UBX, milliseconds) the open one; `timeOfDay` is
  /// known to some messages only.
  mutating func begin(timeOfWeek: Int64, timeOfDay: Int64, emit: (Fix) -> Void) -> Bool {
    // What belongs to an earlier moment must not end a later one: HNR-PVT comes between NAV's.
    if epoch.timeOfWeek >= 0, Self.isEarlier(timeOfWeek, than: epoch.timeOfWeek) {
      return isLate()
    }
    if isAnother(timeOfDay, than: epoch.timeOfDay)
      || (epoch.timeOfWeek >= 0 && epoch.timeOfWeek != timeOfWeek)
    {
      close(emit: emit)
    }
    if epoch.timeOfWeek < 0, emitted?.timeOfWeek == timeOfWeek { return isLate() }
    epoch.timeOfWeek = timeOfWeek
    if timeOfDay >= 0, epoch.timeOfDay < 0 { epoch.timeOfDay = timeOfDay }
    return true
  }

  /// By less than half a week, so that the week's turn is a step forward.
  private static func isEarlier(_ a: Int64, than b: Int64) -> Bool {
    let step = a - b
    return (step < 0 && step > -302_400_000) || step > 302_400_000
  }

  @inline(__always)
  private func isAnother(_ time: Int64, than other: Int64) -> Bool {
    time >= 0 && other >= 0 && (time - other).magnitude > UInt64(Self.sameMoment)
  }

  private mutating func isLate() -> Bool {
    counters.lateSentences += 1
    cycle.forget()
    return false
  }

  /// A sentence of the open epoch has been taken in; hands the epoch out if that was its last.
  @inline(__always)
  mutating func took(_ mark: CycleEnd.Mark, at instant: BootInstant, emit: (Fix) -> Void) {
    isOpen = true
    epoch.received = instant
    last = mark
    if let end = cycle.learnt, end == mark, epoch.hasReport { handOut(emit: emit) }
  }

  /// The receiver itself says that the epoch is complete (UBX NAV-EOE), or the line has fallen
  /// silent, or the input has ended. Only the end of the input may be in the midst of a cycle.
  mutating func complete(isCycleEnd: Bool, emit: (Fix) -> Void) {
    guard isOpen, epoch.hasReport else { return }
    if isCycleEnd, let last { cycle.note(last) }
    handOut(emit: emit)
  }

  /// Another epoch begins.
  private mutating func close(emit: (Fix) -> Void) {
    guard isOpen else { return }
    if let last { cycle.note(last) }
    handOut(emit: emit)
  }

  mutating func take(_ answer: ReceiverAnswer) {
    counters.answers += 1
    answers.append(answer)
  }

  // MARK: Dates

  mutating func tell(year: Int, month: Int, day: Int) {
    if let day = dates.day(year: year, month: month, day: day, counters: &counters) {
      epoch.day = day
    }
  }

  // MARK: Handing out

  private mutating func handOut(emit: (Fix) -> Void) {
    var finished = epoch
    epoch = Epoch()
    isOpen = false
    held.apply(to: &finished)
    if let total = finished.sky.total { satellitesInView = total }
    let time = dates.instant(
      timeOfDay: finished.timeOfDay, told: finished.day, received: finished.received)
    guard finished.hasReport else { return }
    if finished.hasImpossiblePlace { counters.impossiblePlaces += 1 }

    var mode = finished.mode
    if mode != .none, finished.latitude == 0, finished.longitude == 0 {
      counters.nullIslands += 1
      mode = .none
    }
    let previous = emitted
    emitted = Emitted(
      timeOfDay: finished.timeOfDay, timeOfWeek: finished.timeOfWeek, seen: finished.seen,
      time: time, mode: mode)
    if mode != .none, finished.timeOfDay >= 0, finished.timeOfDay == previous?.timeOfDay,
      time == previous?.time, let before = previous?.mode, before >= mode
    {
      counters.repeatedEpochs += 1
      return
    }
    if mode == .none { counters.voidFixes += 1 } else { counters.fixes += 1 }
    emit(finished.fix(mode: mode, time: time))
  }
}
