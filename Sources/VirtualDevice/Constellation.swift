import Core

/// The satellites above the board: which ones are visible, and where.
///
/// Elevations rise and fall on half-day paths (GPS: 11 h 58 min, GLONASS: 11 h 16 min), so the set
/// of visible satellites changes every few minutes as in reality. The paths are not those of the
/// real satellites.
struct Constellation {
  /// The highest satellite number.
  static let maxNumber = 96

  struct Satellite: Equatable {
    /// As NMEA numbers them: GPS 1...32, GLONASS 65...96.
    let number: Int
    let azimuth: Int
    let elevation: Int

    var isGlonass: Bool { number > 64 }
  }

  private struct Path {
    let number: Int
    let period: Double
    let phase: Double
    let maxElevation: Double
    let azimuth: Double
  }

  private let paths: [Path]
  /// Highest first: the order in which a receiver finds and uses them.
  private(set) var visible: [Satellite] = []
  private var computedAt: Int64?

  init(random: inout SeededRandom) {
    var paths: [Path] = []
    for number in Array(1...32) + Array(65...88) {
      paths.append(
        Path(
          number: number, period: number > 64 ? 40_544 : 43_082, phase: random.uniform(),
          maxElevation: random.uniform(in: 25...88), azimuth: random.uniform(in: 0...360)))
    }
    self.paths = paths
  }

  /// Moves the satellites; cheap to call at every epoch, since it recalculates twice a minute.
  mutating func advance(to time: UTCInstant) {
    let tick = time.nanoseconds / 30_000_000_000
    guard tick != computedAt else { return }
    computedAt = tick
    let seconds = Double(tick) * 30
    visible.removeAll(keepingCapacity: true)
    for path in paths {
      let turns = seconds / path.period + path.phase
      let turn = turns - turns.rounded(.down)
      // Up for a bit more than a third of each round, highest in its middle.
      let height = 1 - (turn - 0.5).magnitude * 2 / 0.38
      guard height > 0.1 else { continue }
      let azimuth = path.azimuth + 140 * turn
      visible.append(
        Satellite(
          number: path.number, azimuth: Int(azimuth) % 360,
          elevation: Int(path.maxElevation * height)))
    }
    visible.sort { ($0.elevation, $1.number) > ($1.elevation, $0.number) }
  }
}

/// The reception in one epoch, and the resulting quality of a position.
struct ReceptionView {
  /// Satellites that are received, from the highest on; the others are blocked.
  let received: Int
  /// dB by which all signals vary together: the antenna turns with its carrier.
  let gain: Double
  /// Satellites in the position; 0 without a fix.
  private(set) var used = 0
  private(set) var hdop = 99.99
  private(set) var vdop = 99.99
  private(set) var pdop = 99.99

  /// Where reception is blocked, this many satellites are received weakly, see `SignalPath`.
  private static let leaking = 6.0

  /// - Parameter penetration: see `Penetration`; 0 except indoors.
  init(
    visible: Int, reception: Reception, penetration: Double, hasFix: Bool,
    random: inout SeededRandom
  ) {
    let most: Double
    let stretch: Double
    switch reception {
    case .open: (most, stretch) = (Double(visible), 1)
    case .street: (most, stretch) = (Double(visible) * 0.65, 1.3)
    case .indoors:
      let tracked = penetration > 0 ? 3.5 + 25 * penetration : Self.leaking
      (most, stretch) = (hasFix ? Double(visible) * 0.4 : tracked, 1.7)
    case .none: (most, stretch) = (hasFix ? 4 : Self.leaking, 3)
    }
    gain = random.gaussian()
    received = min(visible, max(hasFix ? 4 : 0, Int(most + 0.7 * random.gaussian())))
    guard hasFix else { return }
    used = max(4, received - Int(random.next() % 2))
    let n = Double(used)
    hdop = (0.55 + 14 / (n * n)) * stretch
    vdop = hdop * 1.5
    pdop = (hdop * hdop + vdop * vdop).squareRoot()
  }
}
