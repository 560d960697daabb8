import Quantities

/// What each NMEA sentence contributes to the open epoch.
extension EpochAssembler {
  private static let knot = 1852.0 / 3600

  /// Slots of the sentences that tell a position or a time, see `Epoch.seen`.
  private enum Slot {
    static let gga = 0
    static let rmc = 1
    static let gll = 2
    static let gns = 3
    static let pubx = 4
    static let zda = 5
    static let gst = 6
  }

  mutating func take(
    _ body: UnsafeBufferPointer<UInt8>, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    counters.nmeaSentences += 1
    guard let sentence = NMEASentence(body) else {
      if let fields = NMEASentence.pubx(body) {
        pubx(fields, at: instant, emit: emit)
      } else {
        hear(ReceiverAnswer.reading(proprietary: body))
      }
      return
    }
    var fields = NMEAFields(sentence.fields)
    let isTaken: Bool
    switch sentence.formatter {
    case .gga: isTaken = gga(GGA(&fields), fields, sentence.talker, emit)
    case .rmc: isTaken = rmc(RMC(&fields), fields, sentence.talker, emit)
    case .gsv: isTaken = gsv(GSV(&fields), fields, sentence.talker)
    case .gsa: isTaken = gsa(GSA(&fields), fields)
    case .vtg: isTaken = vtg(VTG(&fields), fields)
    case .gll: isTaken = gll(GLL(&fields), fields, sentence.talker, emit)
    case .gns: isTaken = gns(GNS(&fields), fields, sentence.talker, emit)
    case .gst: isTaken = gst(GST(&fields), fields, sentence.talker, emit)
    case .zda: isTaken = zda(ZDA(&fields), fields, sentence.talker, emit)
    case .txt:
      hear(ReceiverAnswer.reading(text: sentence.fields))
      return
    default:
      counters.unknownSentences += 1
      return
    }
    guard isTaken else { return }
    let isGrouped = sentence.formatter == .gsv || sentence.formatter == .gsa
    let mark = CycleEnd.Mark(
      talker: sentence.talker, formatter: sentence.formatter.code,
      ordinal: !isGrouped ? 0 : epoch.endsGroup ? epoch.groups : -1)
    took(mark, at: instant, emit: emit)
  }

  private mutating func hear(_ reading: ReceiverAnswer.Reading) {
    switch reading {
    case .answer(let answer): take(answer)
    case .malformed: counters.malformedFields += 1
    case .none: counters.unknownSentences += 1
    }
  }

  private mutating func isSound(_ fields: NMEAFields) -> Bool {
    if fields.isMalformed { counters.malformedFields += 1 }
    return !fields.isMalformed
  }

  private mutating func gga(
    _ gga: GGA, _ fields: NMEAFields, _ talker: UInt16, _ emit: (Fix) -> Void
  ) -> Bool {
    guard isSound(fields),
      begin(timeOfDay: gga.timeOfDay, slot: Slot.gga, talker: talker, emit: emit)
    else { return false }
    if gga.satellitesUsed >= 0 { epoch.satellitesUsed = gga.satellitesUsed }
    if !gga.hdop.isNaN { epoch.hdop = gga.hdop }
    epoch.claim(gga.quality > 0)
    guard gga.quality > 0 else { return true }
    epoch.quality = ModeIndicator.quality(ofGGA: gga.quality)
    epoch.place(gga.latitude, gga.longitude, decimals: fields.decimals)
    if !gga.altitude.isNaN { epoch.altitudeMSL = gga.altitude }
    if !gga.separation.isNaN { epoch.separation = gga.separation }
    return true
  }

  private mutating func rmc(
    _ rmc: RMC, _ fields: NMEAFields, _ talker: UInt16, _ emit: (Fix) -> Void
  ) -> Bool {
    guard isSound(fields),
      begin(timeOfDay: rmc.timeOfDay, slot: Slot.rmc, talker: talker, emit: emit)
    else { return false }
    if rmc.date > 0 {
      tell(year: rmc.date % 100, month: rmc.date / 100 % 100, day: rmc.date / 10_000)
    }
    let isFix = rmc.status == UInt8(ascii: "A") && rmc.indicator != UInt8(ascii: "N")
    epoch.claim(isFix)
    guard isFix else { return true }
    place(rmc.latitude, rmc.longitude, rmc.indicator, fields)
    if !rmc.speed.isNaN { epoch.speed = rmc.speed * Self.knot }
    if !rmc.track.isNaN { epoch.track = rmc.track }
    return true
  }

  private mutating func gll(
    _ gll: GLL, _ fields: NMEAFields, _ talker: UInt16, _ emit: (Fix) -> Void
  ) -> Bool {
    guard isSound(fields),
      begin(timeOfDay: gll.timeOfDay, slot: Slot.gll, talker: talker, emit: emit)
    else { return false }
    let isFix = gll.status == UInt8(ascii: "A") && gll.indicator != UInt8(ascii: "N")
    epoch.claim(isFix)
    if isFix { place(gll.latitude, gll.longitude, gll.indicator, fields) }
    return true
  }

  private mutating func gns(
    _ gns: GNS, _ fields: NMEAFields, _ talker: UInt16, _ emit: (Fix) -> Void
  ) -> Bool {
    guard isSound(fields),
      begin(timeOfDay: gns.timeOfDay, slot: Slot.gns, talker: talker, emit: emit)
    else { return false }
    if gns.satellitesUsed >= 0 { epoch.satellitesUsed = gns.satellitesUsed }
    if !gns.hdop.isNaN { epoch.hdop = gns.hdop }
    let isFix = gns.indicator != 0 && gns.indicator != UInt8(ascii: "N")
    epoch.claim(isFix)
    guard isFix else { return true }
    place(gns.latitude, gns.longitude, gns.indicator, fields)
    if !gns.altitude.isNaN { epoch.altitudeMSL = gns.altitude }
    if !gns.separation.isNaN { epoch.separation = gns.separation }
    return true
  }

  private mutating func place(
    _ latitude: Double, _ longitude: Double, _ indicator: UInt8, _ fields: NMEAFields
  ) {
    // GGA tells apart more qualities than the indicator.
    if indicator != 0, epoch.latitude.isNaN { epoch.quality = ModeIndicator.quality(indicator) }
    epoch.place(latitude, longitude, decimals: fields.decimals)
  }

  private mutating func gsa(_ gsa: GSA, _ fields: NMEAFields) -> Bool {
    guard isSound(fields) else { return false }
    epoch.groups += 1
    epoch.endsGroup = true
    // One for each constellation: those without satellites may say 1 beside another's 3.
    epoch.dimension = max(epoch.dimension, min(gsa.dimension, 3))
    if !gsa.pdop.isNaN { epoch.pdop = gsa.pdop }
    if !gsa.hdop.isNaN { epoch.hdop = gsa.hdop }
    if !gsa.vdop.isNaN { epoch.vdop = gsa.vdop }
    return true
  }

  private mutating func gsv(_ gsv: GSV, _ fields: NMEAFields, _ talker: UInt16) -> Bool {
    guard isSound(fields) else { return false }
    if gsv.satellitesInView >= 0 { epoch.sky.note(gsv.satellitesInView, talker: talker) }
    // The length of a group changes with the sky: only its last sentence may end a cycle.
    epoch.endsGroup = gsv.isLast
    if gsv.isLast { epoch.groups += 1 }
    return true
  }

  private mutating func vtg(_ vtg: VTG, _ fields: NMEAFields) -> Bool {
    guard isSound(fields) else { return false }
    // RMC has the time of its speed; VTG may be the neighbouring epoch's.
    if epoch.speed.isNaN, !vtg.speed.isNaN { epoch.speed = vtg.speed * Self.knot }
    if epoch.track.isNaN, !vtg.track.isNaN { epoch.track = vtg.track }
    return true
  }

  private mutating func gst(
    _ gst: GST, _ fields: NMEAFields, _ talker: UInt16, _ emit: (Fix) -> Void
  ) -> Bool {
    guard isSound(fields),
      begin(timeOfDay: gst.timeOfDay, slot: Slot.gst, talker: talker, emit: emit)
    else { return false }
    let (north, east) = (gst.latitudeError, gst.longitudeError)
    epoch.horizontalError = (north * north + east * east).squareRoot()
    epoch.verticalError = gst.altitudeError
    return true
  }

  private mutating func zda(
    _ zda: ZDA, _ fields: NMEAFields, _ talker: UInt16, _ emit: (Fix) -> Void
  ) -> Bool {
    guard isSound(fields),
      begin(timeOfDay: zda.timeOfDay, slot: Slot.zda, talker: talker, emit: emit)
    else { return false }
    if zda.timeOfDay >= 0, zda.day > 0, zda.month > 0, zda.year > 0 {
      tell(year: zda.year, month: zda.month, day: zda.day)
    }
    return true
  }

  private mutating func pubx(
    _ body: UnsafeBufferPointer<UInt8>, at instant: BootInstant, emit: (Fix) -> Void
  ) {
    var fields = NMEAFields(body)
    let pubx = PUBX00(&fields)
    guard isSound(fields),
      begin(timeOfDay: pubx.timeOfDay, slot: Slot.pubx, talker: 1, emit: emit)
    else { return }
    epoch.take(pubx, decimals: fields.decimals)
    took(.init(talker: 1, formatter: 0, ordinal: 0), at: instant, emit: emit)
  }
}

extension Epoch {
  mutating func take(_ pubx: PUBX00, decimals: Int) {
    let dimension =
      switch pubx.status {
      case 0x4732, 0x4432, 0x4452: 2  // G2, D2, DR
      case 0x4733, 0x4433, 0x524b: 3  // G3, D3, RK
      default: 1
      }
    claim(dimension > 1)
    if pubx.satellitesUsed >= 0 { satellitesUsed = pubx.satellitesUsed }
    if !pubx.hdop.isNaN { hdop = pubx.hdop }
    if !pubx.vdop.isNaN { vdop = pubx.vdop }
    guard dimension > 1 else { return }
    self.dimension = max(self.dimension, dimension)
    place(pubx.latitude, pubx.longitude, decimals: decimals)
    altitudeHAE = pubx.altitudeHAE
    horizontalError = pubx.horizontalAccuracy
    verticalError = pubx.verticalAccuracy
    climb = -pubx.descent
    if speed.isNaN { speed = pubx.speed / 3.6 }
    if track.isNaN { track = pubx.track }
  }
}
