import Core

/// A decoded sentence or message that contributes to an epoch.
protocol EpochPart {
  func apply(to epoch: inout Epoch)
}

/// The data of the epoch that is being assembled. Absent numbers are NaN or negative, because an
/// epoch is written many times and read once.
struct Epoch {
  static let absent: Int64 = -1

  /// Above mean sea level, above the ellipsoid, and the geoid separation, in metres.
  struct Altitude {
    var meanSeaLevel = Double.nan
    var ellipsoidal = Double.nan
    var separation = Double.nan
  }

  /// Metres per second and degrees. Speed and track come from the sentence with the position, if it
  /// has them.
  struct Motion {
    var speed = Double.nan
    var track = Double.nan
    var climb = Double.nan
  }

  /// 1 sigma. GST: the root of the squared errors north and east. UBX and PUBX: hAcc, which u-blox
  /// also specifies as 1 sigma.
  struct Errors {
    var horizontal = Double.nan
    var vertical = Double.nan
    var speed = Double.nan
  }

  struct Dilution {
    var horizontal = Double.nan
    var vertical = Double.nan
    var position = Double.nan

    /// Values that the sentence leaves out are unchanged.
    mutating func replace(horizontal: Double, vertical: Double = .nan, position: Double = .nan) {
      if !horizontal.isNaN { self.horizontal = horizontal }
      if !vertical.isNaN { self.vertical = vertical }
      if !position.isNaN { self.position = position }
    }
  }

  /// Whether the receiver claims a fix. One void sentence outweighs all others: u-blox sends GGA
  /// with quality 6 beside RMC with status V when dead reckoning has exceeded its limits.
  private enum Claim { case nothing, fix, void }

  var time = EpochTime()
  var quality = FixQuality.autonomous
  var altitude = Altitude()
  var motion = Motion()
  var errors = Errors()
  var dilution = Dilution()
  private var claim = Claim.nothing
  /// 1...3 from GSA or UBX, 0 if unknown.
  private(set) var dimension = 0
  private(set) var position = EpochPosition()
  private var satellitesUsed = -1
  private var satelliteCounts = SatelliteCounts()
  private var signals = SatelliteSignals()
  /// GSA sentences and complete GSV groups so far: only the very last one can end a cycle.
  private var groups = 0
  /// The group that the newest part ended; 0 for a part without a group, -1 within a group.
  private(set) var groupEnded = 0

  @inline(__always)
  mutating func add(_ part: some EpochPart) {
    groupEnded = 0
    part.apply(to: &self)
  }

  // MARK: Contributions of parts

  mutating func claim(_ isFix: Bool) {
    claim = isFix && claim != .void ? .fix : .void
  }

  /// A message with the dimension overrides all earlier ones.
  mutating func claim(dimension: Int) {
    claim(dimension > 1)
    self.dimension = dimension
  }

  /// One sentence per constellation: those without satellites may report 1 beside another's 3.
  mutating func raiseDimension(to dimension: Int) {
    self.dimension = max(self.dimension, dimension)
  }

  mutating func setPlace(_ latitude: Double, _ longitude: Double, decimals: Int = .max) {
    position.replace(latitude, longitude, decimals: decimals)
  }

  mutating func setSatellitesUsed(_ count: Int) {
    if count >= 0 { satellitesUsed = count }
  }

  @inline(__always)
  mutating func countSatellites(_ count: Int, talker: UInt16) {
    satelliteCounts.count(count, talker: talker)
  }
  mutating func countSatellites(_ count: Int) { satelliteCounts.countAll(count) }

  /// The part reports signal strengths, possibly for no satellite.
  mutating func markSignalsReported() { self.signals.markReported() }
  @inline(__always)
  mutating func addSignals(_ signal: SatelliteSignal) { self.signals.add(signal) }
  @inline(__always)
  mutating func addSignals(_ signals: FourSignals) { self.signals.add(signals) }
  @inline(__always)
  mutating func name(_ satellites: FourSignals) { satelliteCounts.name(satellites) }

  /// - Parameter isLast: whether the part ends its group.
  mutating func countGroup(isLast: Bool) {
    if isLast { groups += 1 }
    groupEnded = isLast ? groups : -1
  }

  // MARK: Result

  var hasAltitude: Bool { !altitude.meanSeaLevel.isNaN || !altitude.ellipsoidal.isNaN }
  var satellitesInView: Int? { satelliteCounts.total }
  var hasSignalReport: Bool { self.signals.isReported }

  /// Whether any sentence reported whether there is a position.
  var hasReport: Bool { claim != .nothing }

  var mode: FixMode {
    guard claim == .fix, !position.isUnknown, dimension != 1 else { return .none }
    if dimension > 1 { return dimension == 2 ? .twoD : .threeD }
    return hasAltitude ? .threeD : .twoD
  }

  /// The epoch as a fix; the assembler determines the time and applies refusals.
  func fix(mode: FixMode, time instant: UTCInstant?) -> Fix {
    var fix = Fix(received: time.received)
    fix.time = instant
    fix.mode = mode
    fix.satellitesUsed = satellitesUsed >= 0 ? satellitesUsed : nil
    fix.satellitesInView = satellitesInView
    fix.signals = self.signals.signals
    fix.hdop = Plausible.dilution(dilution.horizontal)
    fix.vdop = Plausible.dilution(dilution.vertical)
    fix.pdop = Plausible.dilution(dilution.position)
    guard mode != .none else {
      fix.quality = .unknown
      return fix
    }
    fix.quality = quality
    fix.position = position.coordinate
    if mode == .threeD {
      let (sea, ellipsoid) = (altitude.meanSeaLevel, altitude.ellipsoidal)
      fix.altitudeMSL = present(sea).map(Metres.init(_:))
      fix.altitudeHAE = present(ellipsoid.isNaN ? sea + altitude.separation : ellipsoid)
        .map(Metres.init(_:))
    }
    fix.geoidSeparation = present(altitude.separation).map(Metres.init(_:))
    fix.speed = Plausible.speed(motion.speed)
    fix.track = Plausible.course(motion.track)
    fix.climb = present(motion.climb).map(MetresPerSecond.init(_:))
    fix.horizontalError = Plausible.error(errors.horizontal)
    fix.verticalError = Plausible.error(errors.vertical)
    fix.speedError = Plausible.error(errors.speed)
    return fix
  }

  private func present(_ value: Double) -> Double? { value.isNaN ? nil : value }
}

/// The moment of an epoch, as far as its parts contain it.
struct EpochTime {
  /// UBX gives the time in nanoseconds, and NMEA rounds it to 10 ms: within half of that, both
  /// belong to the same epoch.
  private static let sameMoment: UInt64 = 5_000_000

  /// Nanoseconds of the UTC day; 86,400 s is a leap second.
  var ofDay = Epoch.absent
  /// Days since 1970-01-01, if a sentence of this epoch has the date.
  var day: Int?
  /// UBX: milliseconds of the GPS week.
  var ofWeek = Epoch.absent
  /// When its last sentence arrived.
  var received = BootInstant.zero
  /// The received kinds of position sentences, by talker. The second sentence of one kind from one
  /// talker belongs to the next epoch even if the clock stands still.
  var seen = SIMD8<UInt16>(repeating: 0)

  /// Whether that time of day is known to belong to another moment.
  @inline(__always)
  func differs(from time: Int64) -> Bool {
    time >= 0 && ofDay >= 0 && (time - ofDay).magnitude > Self.sameMoment
  }

  /// Whether a time of week is before this one, by less than half a week, so that the week's
  /// rollover is a step forward.
  func isAfter(timeOfWeek: Int64) -> Bool {
    guard ofWeek >= 0 else { return false }
    let step = timeOfWeek - ofWeek
    return (step < 0 && step > -302_400_000) || step > 302_400_000
  }
}

/// The position of an epoch, in degrees.
struct EpochPosition {
  private var latitude = Double.nan
  private var longitude = Double.nan
  /// The decimals of the minutes in the sentence with the position.
  private var decimals = 0
  /// Beyond the poles or the date line.
  private(set) var isImpossible = false

  var isUnknown: Bool { latitude.isNaN }
  var isNullIsland: Bool { latitude == 0 && longitude == 0 }
  var coordinate: Coordinate {
    Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  /// A later position replaces an earlier one unless it has fewer decimals.
  mutating func replace(_ latitude: Double, _ longitude: Double, decimals: Int) {
    guard !latitude.isNaN, !longitude.isNaN, decimals >= self.decimals else { return }
    guard latitude.magnitude <= 90, longitude.magnitude <= 180 else {
      isImpossible = true
      return
    }
    self.latitude = latitude
    self.longitude = longitude
    self.decimals = decimals
  }
}

/// Satellites in view by constellation: each talker's GSV reports its own.
private struct SatelliteCounts {
  /// -1 for constellations without a report.
  private var counts = SIMD8<Int16>(repeating: -1)
  private var named = ListedSatellites()

  /// The count in a group, whose sentences may be incomplete. The largest count of a constellation
  /// is used.
  @inline(__always)
  mutating func count(_ count: Int, talker: UInt16) {
    let slot = Self.slot(talker)
    let count = Int16(clamping: count)
    // A vector's subscript would load and store the whole vector.
    withUnsafeMutableBytes(of: &counts) { bytes in
      let counts = bytes.assumingMemoryBound(to: Int16.self)
      counts[slot] = max(counts[slot], count)
    }
  }

  mutating func countAll(_ count: Int) { counts[7] = Int16(clamping: count) }

  @inline(__always)
  mutating func name(_ satellites: FourSignals) { named.add(satellites) }

  var total: Int? {
    var sum = 0
    var isKnown = false
    for slot in 0..<8 where counts[slot] >= 0 {
      sum += Int(counts[slot])
      isKnown = true
    }
    return isKnown ? max(sum, named.count) : nil
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
