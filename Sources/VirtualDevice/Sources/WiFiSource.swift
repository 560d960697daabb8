import Core
import Records

extension SourceKind {
  public static let wifi = SourceKind(
    "wifi",
    SourceEnergy(supply: 3.3, question: Amperes(milliamperes: 84.1), for: WiFiSource.scanTime)
  ) { WiFiSource(from: $0.time, seed: $0.seed) }
}

/// Wi-Fi access points around the board, received by a requested scan.
///
/// They are on an irregular grid over the whole Earth, so that a place always has the same ones,
/// and the next house some of them. 5 % of them are mobile and gone half an hour later; of the
/// others 2 % exchange their place with one far away in each month.
struct WiFiSource: SourceBehaviour {
  /// Passive scanning, 100 ms on each of 13 channels of the 2.4 GHz band, and some of the 5 GHz
  /// band.
  static let scanTime: Seconds = 2.5
  static let inReach = 3...30
  static let inReachInTheOpen = 0...8

  private static let cell: Metres = 60
  private static let mobileStay: Int64 = 1_800_000_000_000
  private static let month: Int64 = 30 * 86_400_000_000_000
  /// The distance of an exchange, in grid squares: four kilometres.
  private static let exchange: Int64 = 64

  private let world: AccessPointWorld
  private let seed: UInt64
  private let firstMonth: Int64

  init(from start: UTCInstant, seed: UInt64, world: AccessPointWorld = AccessPointWorld()) {
    self.world = world
    self.seed = seed
    firstMonth = start.nanoseconds / Self.month
  }

  var answersAfter: Seconds? { Self.scanTime }

  mutating func follow(_ spell: TruthSegment) -> [SourceReport] { [] }

  func answer(at time: UTCInstant, truth: TruthSegment.Moment?) -> Evidence? {
    guard let truth else { return .accessPoints(AccessPointScan([])) }
    var luck = SeededRandom(seed: seed, stream: UInt64(bitPattern: time.nanoseconds) | 1)
    let received = inReach(of: truth).filter { _ in !luck.chance(world.misses) }
    let signals = received.map {
      AccessPointSignal(
        bssid: bssid(of: $0.slot, at: time),
        strength: Self.strength(at: $0.distance) + 4 * luck.gaussian())
    }
    return .accessPoints(AccessPointScan(signals))
  }

  // MARK: Places

  /// One position for an access point: the grid square's row and column, and its number there.
  private struct Slot: Hashable {
    var row: Int64
    var column: Int64
    var number: Int

    func random(seed: UInt64, _ purpose: UInt64) -> SeededRandom {
      let cell = UInt64(bitPattern: row &* 0x1_0000_0001 ^ column)
      return SeededRandom(seed: seed ^ cell, stream: purpose << 32 | UInt64(number))
    }
  }

  /// The nearest ones, as many as the place has.
  private func inReach(of truth: TruthSegment.Moment) -> [(slot: Slot, distance: Metres)] {
    let grid = Grid(step: Self.cell, at: truth.position)
    var here = Slot(row: grid.row, column: grid.column, number: 0).random(seed: seed, 1)
    let share = here.uniform()
    let range = truth.reception == .open ? Self.inReachInTheOpen : Self.inReach
    // Most places have few: half of them less than a quarter of the possible number.
    let count = range.lowerBound + Int(share * share * Double(range.count))
    var near: [(slot: Slot, distance: Metres)] = []
    for row in -1...1 {
      for column in -1...1 {
        for number in 0..<world.perSquare {
          let slot = Slot(
            row: grid.row + Int64(row), column: grid.column + Int64(column), number: number)
          var spot = slot.random(seed: seed, 2)
          let north = (Double(row) + spot.uniform() - grid.north) * Self.cell.value
          let east = (Double(column) + spot.uniform() - grid.east) * Self.cell.value
          near.append((slot, Metres((north * north + east * east).squareRoot())))
        }
      }
    }
    return Array(near.sorted { $0.distance < $1.distance }.prefix(count))
  }

  /// 9 dB for each doubling of the distance: an exponent of 3, between free space and the many
  /// walls of ITU-R P.1238.
  private static func strength(at distance: Metres) -> Double {
    let metres = max(distance.value, 1)
    // A binary logarithm, linear between the powers of two.
    let doublings = Double(metres.exponent) + metres.significand - 1
    return max(-95, -40 - 9 * doublings)
  }

  // MARK: Names

  private func bssid(of slot: Slot, at time: UTCInstant) -> String {
    var own = slot.random(seed: seed, 3)
    if own.chance(world.mobile) {
      // A passing mobile access point.
      let shift = Int64(own.uniform() * Double(Self.mobileStay))
      let passer = UInt64(bitPattern: (time.nanoseconds + shift) / Self.mobileStay)
      return Self.name(SeededRandom(seed: own.next(), stream: passer))
    }
    return Self.name(tenant(of: slot, at: time).random(seed: seed, 4))
  }

  /// Whose access point is there: its own, or after an exchange the partner's.
  private func tenant(of slot: Slot, at time: UTCInstant) -> Slot {
    let partner = Slot(
      row: slot.row ^ Self.exchange, column: slot.column ^ Self.exchange, number: slot.number)
    // Both use the same random numbers.
    let first = slot.row < partner.row ? slot : partner
    var moves = first.random(seed: seed, 5)
    let phase = Int64(moves.uniform() * Double(Self.month))
    let months = (time.nanoseconds + phase) / Self.month - firstMonth
    var isExchanged = false
    for _ in 0..<min(max(0, months), 1200) where moves.chance(world.movesInMonth) {
      isExchanged.toggle()
    }
    return isExchanged ? partner : slot
  }

  private static func name(_ random: SeededRandom) -> String {
    var random = random
    let bits = random.next()
    return BSSID.text(UInt32(truncatingIfNeeded: bits), Int(bits >> 48))
  }
}
