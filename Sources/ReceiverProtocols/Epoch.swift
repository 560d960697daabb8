import Quantities

/// What has been said so far about the moment that is being assembled. Absent numbers are NaN or
/// negative: an epoch is written many times and read once.
struct Epoch {
  static let absent: Int64 = -1

  /// Nanoseconds of the UTC day; 86,400 s is a leap second.
  var timeOfDay = Epoch.absent
  /// Days since 1970-01-01, when a sentence of this epoch gave the date.
  var day: Int?
  /// UBX: milliseconds of the GPS week.
  var timeOfWeek = Epoch.absent
  /// When its last sentence arrived.
  var received = BootInstant.zero

  var claim = Claim.nothing
  var quality = FixQuality.autonomous
  /// 1...3 from GSA or UBX, 0 when none was seen.
  var dimension = 0
  var latitude = Double.nan
  var longitude = Double.nan
  /// Of the minutes in the sentence that the place is from.
  var decimals = 0
  var hasImpossiblePlace = false
  var altitudeMSL = Double.nan
  var altitudeHAE = Double.nan
  var separation = Double.nan
  /// m/s, from the same sentence as the position if that had one.
  var speed = Double.nan
  var track = Double.nan
  var climb = Double.nan
  /// GST: the root of the squared 1-sigma errors north and east. UBX and PUBX: hAcc, which u-blox
  /// gives as 1 sigma too.
  var horizontalError = Double.nan
  var verticalError = Double.nan
  var speedError = Double.nan
  var hdop = Double.nan
  var vdop = Double.nan
  var pdop = Double.nan
  var satellitesUsed = -1
  var sky = SkyCount()

  /// GSA sentences and whole GSV groups so far: only the last of all may end a cycle.
  var groups = 0
  var endsGroup = false

  /// Which sentences that tell a position have been seen, by talker: the second of one kind from
  /// one talker belongs to the next epoch even if the clock stands still.
  var seen = SIMD8<UInt16>(repeating: 0)

  /// Whether the receiver claims a fix. One void sentence outweighs all others: u-blox sends GGA
  /// with quality 6 beside RMC with status V when dead reckoning has run out of its limits.
  enum Claim { case nothing, fix, void }

  mutating func claim(_ isFix: Bool) {
    claim = isFix && claim != .void ? .fix : .void
  }

  /// A later sentence's place replaces an earlier one's unless it is told less finely.
  mutating func place(_ latitude: Double, _ longitude: Double, decimals: Int = .max) {
    guard !latitude.isNaN, !longitude.isNaN, decimals >= self.decimals else { return }
    guard latitude.magnitude <= 90, longitude.magnitude <= 180 else {
      hasImpossiblePlace = true
      return
    }
    self.latitude = latitude
    self.longitude = longitude
    self.decimals = decimals
  }

  var hasAltitude: Bool { !altitudeMSL.isNaN || !altitudeHAE.isNaN }

  /// Whether any sentence said something about having a position.
  var hasReport: Bool { claim != .nothing }

  var mode: FixMode {
    guard claim == .fix, !latitude.isNaN, dimension != 1 else { return .none }
    if dimension > 1 { return dimension == 2 ? .twoD : .threeD }
    return hasAltitude ? .threeD : .twoD
  }

  /// The epoch as a fix; time and refusals are the assembler's.
  func fix(mode: FixMode, time: UTCInstant?) -> Fix {
    var fix = Fix(received: received)
    fix.time = time
    fix.mode = mode
    fix.satellitesUsed = satellitesUsed >= 0 ? satellitesUsed : nil
    fix.satellitesInView = sky.total
    fix.hdop = Plausible.dilution(hdop)
    fix.vdop = Plausible.dilution(vdop)
    fix.pdop = Plausible.dilution(pdop)
    guard mode != .none else {
      fix.quality = .unknown
      return fix
    }
    fix.quality = quality
    fix.position = Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
    if mode == .threeD {
      fix.altitudeMSL = present(altitudeMSL).map(Metres.init(_:))
      let ellipsoidal = altitudeHAE.isNaN ? altitudeMSL + separation : altitudeHAE
      fix.altitudeHAE = present(ellipsoidal).map(Metres.init(_:))
    }
    fix.geoidSeparation = present(separation).map(Metres.init(_:))
    fix.speed = Plausible.speed(speed)
    fix.track = Plausible.course(track)
    fix.climb = present(climb).map(MetresPerSecond.init(_:))
    fix.horizontalError = Plausible.error(horizontalError)
    fix.verticalError = Plausible.error(verticalError)
    fix.speedError = Plausible.error(speedError)
    return fix
  }

  private func present(_ value: Double) -> Double? { value.isNaN ? nil : value }
}

/// Satellites in view, by constellation: each talker's GSV speaks of its own.
struct SkyCount: Equatable {
  /// -1 where the constellation has not been heard.
  private var counts = SIMD8<Int16>(repeating: -1)

  /// A later signal of the same constellation (NMEA 4.11 groups GSV by signal) sees the same
  /// satellites again: the largest group counts.
  mutating func note(_ count: Int, talker: UInt16) {
    let slot = Self.slot(talker)
    counts[slot] = max(counts[slot], Int16(clamping: count))
  }

  mutating func noteAll(_ count: Int) { counts[7] = Int16(clamping: count) }

  var total: Int? {
    var sum = 0
    var isKnown = false
    for slot in 0..<8 where counts[slot] >= 0 {
      sum += Int(counts[slot])
      isKnown = true
    }
    return isKnown ? sum : nil
  }

  private static func slot(_ talker: UInt16) -> Int {
    switch talker {
    case NMEATalker.gp: 0
    case NMEATalker.gl: 1
    case NMEATalker.ga: 2
    case NMEATalker.gb, NMEATalker.bd: 3
    case NMEATalker.gq, NMEATalker.qz: 4
    case NMEATalker.gi: 5
    default: 6
    }
  }
}
