import Core

/// Decodes UBX: data of an epoch goes to the assembler, the receiver's answers go into the log.
struct UBXDecoder {
  /// GPS time minus UTC, once the receiver has reported it.
  private var leapSeconds: Int64?

  mutating func decode(
    _ message: UBXMessage, at instant: BootInstant, _ epochs: inout EpochAssembler,
    _ log: inout DecoderLog, _ emit: (Fix) -> Void
  ) {
    log.counters.ubxFrames += 1
    guard accept(message, &log) else { return }
    switch message.kind {
    case .ackAck, .ackNak, .monVER, .monRXR, .updSOS, .mgaACK, .mgaDBD, .infNOTICE:
      if let answer = ReceiverAnswer(message) {
        log.take(answer)
      } else {
        log.counters.unknownFrames += 1
      }
    case .navEOE: epochs.complete(timeOfWeek: Int64(message.u32(0)), &log, emit)
    case .navPVT:
      let pvt = UBXNavPVT(message: message)
      add(pvt, clock: pvt.clock)
    case .hnrPVT:
      let pvt = UBXHnrPVT(message: message)
      add(pvt, clock: pvt.clock)
    default: add(UBXNavPart(message: message), clock: clock(of: message, &log))
    }

    func add(_ part: some EpochPart, clock: UBXClock?) {
      // NAV-HPPOSLLH begins with a version.
      let week = Int64(message.u32(message.kind == .navHPPOSLLH ? 4 : 0))
      let day = clock?.timeOfDay ?? Epoch.absent
      guard epochs.begin(timeOfWeek: week, timeOfDay: day, &log, emit) else { return }
      if let clock, day >= 0 { epochs.setDate(clock, &log) }
      epochs.add(
        part, talker: 0xb562, formatter: UInt32(message.kind.code), at: instant, &log, emit)
    }
  }

  /// Counts a message that is unknown or too short for its kind, and returns false for it.
  private func accept(_ message: UBXMessage, _ log: inout DecoderLog) -> Bool {
    guard let minLength = message.kind.minLength else {
      log.counters.unknownFrames += 1
      return false
    }
    if message.payload.count >= minLength { return true }
    // In a recording of both directions, a poll by another program has no payload.
    if message.payload.isEmpty {
      log.counters.unknownFrames += 1
    } else {
      log.counters.malformedFrames += 1
    }
    return false
  }

  /// The UTC time that some of the messages contain, directly or as week and time of week.
  private mutating func clock(of message: UBXMessage, _ log: inout DecoderLog) -> UBXClock? {
    switch message.kind {
    case .navTIMEUTC:
      return UBXClock(
        message, at: 12, nanosecond: message.i32(8), isKnown: message.u8(19) & 4 != 0)
    case .navTIMEGPS:
      if message.u8(11) & 4 != 0 { leapSeconds = Int64(message.i8(10)) }
      guard message.u8(11) & 3 == 3 else { return nil }
      return gpsClock(message, &log)
    case .navSOL:
      // Bits 2 and 3: week and time of week are known.
      guard message.u8(11) & 12 == 12 else { return nil }
      return gpsClock(message, &log)
    default: return nil
    }
  }

  /// From time of week, its remainder in nanoseconds, and week, as in NAV-SOL and NAV-TIMEGPS; nil,
  /// and counted, if one of them is implausible.
  private func gpsClock(_ message: UBXMessage, _ log: inout DecoderLog) -> UBXClock? {
    let week = Int64(message.i16(8))
    let time = Int64(message.u32(0)) * 1_000_000 + Int64(message.i32(4))
    guard GPSTime.weeks.contains(week), GPSTime.nanosecondsOfWeek.contains(time) else {
      log.counters.impossibleDates += 1
      return nil
    }
    let (day, timeOfDay) = GPSTime.utc(
      week: week, nanosecondsOfWeek: UBXClock.rounded(time), leap: leapSeconds)
    return UBXClock(day: day, timeOfDay: timeOfDay)
  }
}
