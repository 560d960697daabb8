import Quantities

/// What each UBX message contributes to the open epoch.
extension EpochAssembler {
  mutating func take(_ message: UBXMessage, at instant: BootInstant, emit: (Fix) -> Void) {
    counters.ubxFrames += 1
    guard let shortest = message.kind.shortest else {
      counters.unknownFrames += 1
      return
    }
    guard message.payload.count >= shortest else {
      // A poll that somebody sent, in a recording of both directions, has no payload.
      if message.payload.isEmpty {
        counters.unknownFrames += 1
      } else {
        counters.malformedFrames += 1
      }
      return
    }
    switch message.kind {
    case .ackAck, .ackNak, .monVER, .monRXR, .updSOS, .mgaACK, .mgaDBD, .infNOTICE:
      if let answer = ReceiverAnswer(message) {
        take(answer)
      } else {
        counters.unknownFrames += 1
      }
    case .navEOE:
      if epoch.timeOfWeek == Int64(message.u32(0)) {
        complete(isCycleEnd: true, emit: emit)
      }
    case .navPVT:
      let pvt = UBXNavPVT(message: message)
      guard begin(message, clock: pvt.clock, emit: emit) else { return }
      pvt.apply(to: &epoch)
      took(message.mark, at: instant, emit: emit)
    case .hnrPVT:
      let pvt = UBXHnrPVT(message: message)
      guard begin(message, clock: pvt.clock, emit: emit) else { return }
      pvt.apply(to: &epoch)
      took(message.mark, at: instant, emit: emit)
    default:
      part(message, at: instant, emit: emit)
    }
  }

  /// The messages that give one aspect of an epoch each.
  private mutating func part(
    _ message: UBXMessage, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    guard begin(message, clock: clock(of: message), emit: emit) else { return }
    switch message.kind {
    case .navPOSLLH: epoch.takePOSLLH(message)
    case .navHPPOSLLH: epoch.takeHPPOSLLH(message)
    case .navSOL: epoch.takeSOL(message)
    case .navPOSECEF: epoch.takePOSECEF(message)
    case .navSTATUS: epoch.takeSTATUS(message)
    case .navVELNED: epoch.takeVELNED(message)
    case .navDOP: epoch.takeDOP(message)
    case .navSAT: epoch.sky.noteAll(Int(message.u8(5)))
    case .navSVINFO: epoch.sky.noteAll(Int(message.u8(4)))
    default: break
    }
    took(message.mark, at: instant, emit: emit)
  }

  /// Makes the message's epoch the open one; false when it was handed out already.
  private mutating func begin(
    _ message: UBXMessage, clock: UBXClock?, emit: (Fix) -> Void
  ) -> Bool {
    // NAV-HPPOSLLH begins with a version.
    let offset = message.kind == .navHPPOSLLH ? 4 : 0
    let timeOfDay = clock?.timeOfDay ?? Epoch.absent
    guard
      begin(timeOfWeek: Int64(message.u32(offset)), timeOfDay: timeOfDay, emit: emit)
    else { return false }
    if let clock, timeOfDay >= 0, epoch.day == nil {
      tell(year: clock.year, month: clock.month, day: clock.day)
      if clock.isDayBefore { epoch.day = epoch.day.map { $0 - 1 } }
    }
    return true
  }

  /// The UTC time that some of the messages give, by themselves or through the week's number.
  private mutating func clock(of message: UBXMessage) -> UBXClock? {
    switch message.kind {
    case .navTIMEUTC:
      return UBXClock(
        message, at: 12, nanosecond: message.i32(8), isKnown: message.u8(19) & 4 != 0)
    case .navTIMEGPS:
      if message.u8(11) & 4 != 0 { leapSeconds = Int64(message.i8(10)) }
      guard message.u8(11) & 3 == 3 else { return nil }
      return gpsClock(message)
    case .navSOL:
      // Bits 2 and 3: week and time of week are known.
      guard message.u8(11) & 12 == 12 else { return nil }
      return gpsClock(message)
    default: return nil
    }
  }

  /// From time of week, its remainder in nanoseconds, and week, as NAV-SOL and NAV-TIMEGPS have
  /// them; nil, and counted, for a week or a time of week that cannot be.
  private mutating func gpsClock(_ message: UBXMessage) -> UBXClock? {
    let week = Int64(message.i16(8))
    let time = Int64(message.u32(0)) * 1_000_000 + Int64(message.i32(4))
    guard GPSTime.weeks.contains(week), GPSTime.nanosecondsOfWeek.contains(time) else {
      counters.impossibleDates += 1
      return nil
    }
    let (day, timeOfDay) = GPSTime.utc(
      week: week, nanosecondsOfWeek: UBXClock.rounded(time), leap: leapSeconds)
    return UBXClock(day: day, timeOfDay: timeOfDay)
  }
}
