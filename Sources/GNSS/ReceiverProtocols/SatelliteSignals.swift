import Core

/// A satellite under one number, whoever tells of it.
///
/// NMEA 0183 numbers satellites by constellation: GPS 1...32, SBAS 33...64, GLONASS 65...96, QZSS
/// 193...202, and Galileo, BeiDou and NavIC from 1 under their own talkers. Receivers that speak of
/// them all under one talker continue as u-blox and MediaTek do: Galileo from 301, BeiDou from 401
/// (u-blox M8 protocol description, UBX-13003221, appendix A).
struct SatelliteNumber: Equatable {
  /// 0..<512.
  fileprivate let index: UInt16
  /// A larger number says by itself which constellation it is of.
  fileprivate static let lastOfItsOwn = 64

  @inline(__always)
  init(_ number: Int, of constellation: Constellation) {
    let base = number <= Self.lastOfItsOwn ? constellation.base : 0
    index = UInt16(truncatingIfNeeded: (base + number) & 511)
  }

  /// Whose satellites are counted from 1.
  struct Constellation {
    /// What is added to the satellites' own numbers.
    fileprivate let base: Int

    init(talker: UInt16) {
      base =
        switch talker {
        case NMEATalker.gl: 64
        case NMEATalker.ga: 300
        case NMEATalker.gb, NMEATalker.bd: 400
        case NMEATalker.gq, NMEATalker.qz: 192
        case NMEATalker.gi: 240
        default: 0
        }
    }

    /// - Parameter gnss: u-blox' gnssId, in UBX and in gpsd's reports: GPS, SBAS, Galileo, BeiDou,
    ///   IMES, QZSS, GLONASS, NavIC.
    init(gnss: UInt8) {
      base =
        switch gnss {
        case 2: 300
        case 3: 400
        case 4: 172
        case 5: 192
        case 6: 64
        case 7: 240
        default: 0
        }
    }

    /// Where the number says it.
    static let all = Constellation(gnss: 0)
  }
}

/// A satellite and how strongly it is heard, in two bytes: comparing two compares the strengths.
struct SatelliteSignal: Equatable {
  static let none = SatelliteSignal(bits: 0)
  /// In dB-Hz; no receiver measures more, and a field of NMEA has two digits.
  private static let strongest = 99

  fileprivate var bits: UInt16

  @inline(__always)
  fileprivate init(bits: UInt16) { self.bits = bits }

  /// - Parameter strength: in dB-Hz; what is above 99 counts as that, none as no signal.
  @inline(__always)
  init(_ satellite: SatelliteNumber, strength: Int) {
    let strength = UInt16(truncatingIfNeeded: max(0, min(strength, Self.strongest)))
    bits = strength == 0 ? 0 : strength << 9 | satellite.index
  }

  fileprivate var strength: DecibelHertz { DecibelHertz(Double(bits >> 9)) }
}

/// Four signals, side by side in 16 bits each: what is done to one is done to all at once.
struct FourSignals: Equatable {
  /// One in each of the four places; a number of 16 bits times this is that number in all places.
  fileprivate static let each: UInt64 = 0x0001_0001_0001_0001

  fileprivate var all: UInt64
  /// Which satellites they are of, heard or not; 0 in a place without one, else bit 15 is set.
  fileprivate var seen: UInt64

  @inline(__always)
  init(
    _ first: SatelliteSignal, _ second: SatelliteSignal, _ third: SatelliteSignal,
    _ fourth: SatelliteSignal
  ) {
    all =
      UInt64(first.bits) | UInt64(second.bits) << 16 | UInt64(third.bits) << 32
      | UInt64(fourth.bits) << 48
    seen = 0
  }

  /// Nobody yet.
  init() {
    all = 0
    seen = 0
  }

  /// - Parameters:
  ///   - place: 0...3.
  ///   - strength: nil where the satellite is not heard.
  mutating func set(_ place: UInt64, _ satellite: SatelliteNumber, strength: Int?) {
    all |= UInt64(SatelliteSignal(satellite, strength: strength ?? 0).bits) &<< (16 &* place)
    seen |= UInt64(satellite.index | 0x8000) &<< (16 &* place)
  }

  /// Numbers and strengths as two digits of ASCII each, the tens in the low byte; nil when any is
  /// no number.
  @inline(__always)
  init?(
    numbers: UInt64, strengths: UInt64, of constellation: SatelliteNumber.Constellation
  ) {
    guard let numbers = Self.values(numbers), let strengths = Self.values(strengths) else {
      return nil
    }
    let each = Self.each
    // Bit 7 of a sum says that the number is larger than its limit.
    let limit = UInt64(127 - SatelliteNumber.lastOfItsOwn)
    let isByConstellation = (numbers &+ each &* limit) >> 7 & each ^ each
    let indices = numbers &+ isByConstellation &* UInt64(constellation.base)
    let isHeard = (strengths &+ each &* 127) >> 7 & each
    all = (strengths << 9 | indices) & (isHeard &* 0xffff)
    seen = indices | each &* 0x8000
  }

  /// Both bytes of a digit pair are 0x30...0x39 when neither they nor they plus six leave that row.
  @inline(__always)
  private static func values(_ digits: UInt64) -> UInt64? {
    let row = each &* 0xf0f0
    guard digits & row == each &* 0x3030, (digits &+ each &* 0x0606) & row == each &* 0x3030
    else { return nil }
    return (digits & (each &* 15)) &* 10 &+ (digits >> 8 & (each &* 15))
  }
}

/// The satellites that an epoch has named, each once, whichever groups it stands in: NMEA 4.11 has
/// a group for each signal, and u-blox lists those that are not heard in one of their own.
struct ListedSatellites {
  private var named = SIMD8<UInt64>()

  @inline(__always)
  mutating func add(_ four: FourSignals) {
    withUnsafeMutableBytes(of: &named) { bytes in
      let words = bytes.assumingMemoryBound(to: UInt64.self)
      for place in stride(from: UInt64(0), to: 64, by: 16) {
        let one = UInt16(truncatingIfNeeded: four.seen &>> place)
        words[Int(one >> 6 & 7)] |= UInt64(one >> 15) &<< (UInt64(one) & 63)
      }
    }
  }

  var count: Int {
    var count = 0
    for word in 0..<8 where named[word] != 0 { count += named[word].nonzeroBitCount }
    return count
  }
}

/// The satellites whose signals have been measured in an epoch, each counted once and by its
/// strongest signal, whichever sentences and messages told of it. What it keeps does not grow.
struct SatelliteSignals {
  /// One bit for each satellite.
  private var heard = SIMD8<UInt64>()
  /// The four strongest satellites in 16 bits each, the strongest in the lowest.
  private var best: UInt64 = 0
  /// Whether anything was said about signals: that there are none is news, too.
  private(set) var isTold = false

  mutating func tell() { isTold = true }

  @inline(__always)
  mutating func hear(_ signal: SatelliteSignal) { hear(FourSignals(signal, .none, .none, .none)) }

  @inline(__always)
  mutating func hear(_ four: FourSignals) {
    let first = UInt16(truncatingIfNeeded: four.all)
    let second = UInt16(truncatingIfNeeded: four.all >> 16)
    let third = UInt16(truncatingIfNeeded: four.all >> 32)
    let fourth = UInt16(truncatingIfNeeded: four.all >> 48)
    // A vector's subscript would load and store all of it.
    withUnsafeMutableBytes(of: &heard) { bytes in
      let words = bytes.assumingMemoryBound(to: UInt64.self)
      // Satellites of one constellation mostly share a word.
      if (four.all ^ UInt64(first) &* FourSignals.each) & (FourSignals.each &* 0x1c0) == 0 {
        words[Self.word(first)] |=
          Self.bit(first) | Self.bit(second) | Self.bit(third) | Self.bit(fourth)
      } else {
        words[Self.word(first)] |= Self.bit(first)
        words[Self.word(second)] |= Self.bit(second)
        words[Self.word(third)] |= Self.bit(third)
        words[Self.word(fourth)] |= Self.bit(fourth)
      }
    }
    rank(first)
    rank(second)
    rank(third)
    rank(fourth)
  }

  @inline(__always)
  private static func word(_ bits: UInt16) -> Int { Int(bits >> 6 & 7) }

  /// None for no signal.
  @inline(__always)
  private static func bit(_ bits: UInt16) -> UInt64 {
    (bits == 0 ? 0 : 1) &<< (UInt64(bits) & 63)
  }

  @inline(__always)
  private mutating func rank(_ new: UInt16) {
    guard new > UInt16(truncatingIfNeeded: best >> 48) else { return }
    let each = FourSignals.each
    // Bit 15 stays clear in the place of the same satellite.
    let differs = (best ^ UInt64(new) &* each) & (each &* 511) &+ (each &* 0x7fff)
    let isSame = ~differs & (each &* 0x8000)
    if isSame != 0 {
      let place = UInt64(truncatingIfNeeded: isSame.trailingZeroBitCount - 15)
      guard new > UInt16(truncatingIfNeeded: best &>> place) else { return }
      // The satellite gives up its place and is ranked anew.
      let before = (1 &<< place) &- 1
      best = best & before | best >> 16 & ~before
    }
    insert(new)
  }

  /// Without a branch: in an epoch's first satellites none could be foreseen.
  @inline(__always)
  private mutating func insert(_ new: UInt16) {
    func isStronger(_ place: UInt64) -> UInt64 {
      UInt16(truncatingIfNeeded: best &>> place) > new ? 16 : 0
    }
    let place = isStronger(0) &+ isStronger(16) &+ isStronger(32)
    let before = (1 &<< place) &- 1
    best = best & before | UInt64(new) &<< place | (best & ~before) << 16
  }

  /// Nil when nothing was said about signals.
  var signals: SatelliteReception? {
    guard isTold else { return nil }
    var tracked = 0
    for word in 0..<8 where heard[word] != 0 { tracked += heard[word].nonzeroBitCount }
    return SatelliteReception(
      tracked: tracked, strongest: strength(at: 0), fourth: strength(at: 48))
  }

  private func strength(at place: UInt64) -> DecibelHertz {
    SatelliteSignal(bits: UInt16(truncatingIfNeeded: best &>> place)).strength
  }
}

/// How well a receiver hears the satellites, in one epoch: what tells, long before a fix, whether
/// one will come.
public struct SatelliteReception: Hashable, Sendable {
  /// Satellites whose signal is measured.
  public var tracked: Int
  /// The carrier-to-noise density of the strongest signal; zero: there is none.
  public var strongest: DecibelHertz
  /// That of the fourth strongest: a position takes four satellites. Zero: there are fewer.
  public var fourth: DecibelHertz

  public init(tracked: Int, strongest: DecibelHertz, fourth: DecibelHertz) {
    self.tracked = tracked
    self.strongest = strongest
    self.fourth = fourth
  }
}
