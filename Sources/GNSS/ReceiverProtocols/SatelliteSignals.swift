import Core

/// A satellite under one number, independent of the protocol.
///
/// NMEA 0183 numbers satellites by constellation: GPS 1...32, SBAS 33...64, GLONASS 65...96, QZSS
/// 193...202, and Galileo, BeiDou and NavIC from 1 under their own talkers. Receivers that report
/// all of them under one talker extend this as u-blox and MediaTek do: Galileo from 301, BeiDou
/// from 401 (u-blox M8 protocol description, UBX-13003221, appendix A).
struct SatelliteNumber: Equatable {
  /// 0..<512.
  fileprivate let index: UInt16
  /// A larger number already identifies its constellation.
  fileprivate static let lastOfItsOwn = 64

  @inline(__always)
  init(_ number: Int, of constellation: Constellation) {
    let base = number <= Self.lastOfItsOwn ? constellation.base : 0
    index = UInt16(truncatingIfNeeded: (base + number) & 511)
  }

  /// A constellation whose satellites are counted from 1.
  struct Constellation {
    /// The offset that is added to the satellites' own numbers.
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

    /// For numbers that already identify the constellation.
    static let all = Constellation(gnss: 0)
  }
}

/// A satellite and its signal strength in two bytes: comparing two values compares the strengths.
struct SatelliteSignal: Equatable {
  static let none = SatelliteSignal(bits: 0)
  /// In dB-Hz; no receiver measures more, and an NMEA field has two digits.
  private static let strongest = 99

  fileprivate var bits: UInt16

  @inline(__always)
  fileprivate init(bits: UInt16) { self.bits = bits }

  /// - Parameter strength: in dB-Hz, limited to 99; 0 and less is no signal.
  @inline(__always)
  init(_ satellite: SatelliteNumber, strength: Int) {
    let strength = UInt16(truncatingIfNeeded: max(0, min(strength, Self.strongest)))
    bits = strength == 0 ? 0 : strength << 9 | satellite.index
  }

  fileprivate var strength: DecibelHertz { DecibelHertz(Double(bits >> 9)) }
}

/// Four signals, in 16 bits each, which are processed in parallel.
struct FourSignals: Equatable {
  /// One in each of the four places: multiplied by a 16-bit number, it repeats that number in all
  /// places.
  fileprivate static let each: UInt64 = 0x0001_0001_0001_0001

  fileprivate var all: UInt64
  /// The satellites, with or without a signal: bit 15 is set; 0 in an empty place.
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

  /// Without satellites.
  init() {
    all = 0
    seen = 0
  }

  /// - Parameters:
  ///   - place: 0...3.
  ///   - strength: nil if the satellite has no signal.
  mutating func set(_ place: UInt64, _ satellite: SatelliteNumber, strength: Int?) {
    all |= UInt64(SatelliteSignal(satellite, strength: strength ?? 0).bits) &<< (16 &* place)
    seen |= UInt64(satellite.index | 0x8000) &<< (16 &* place)
  }

  /// Numbers and strengths as two ASCII digits each, the tens in the low byte; nil if any is not a
  /// number.
  @inline(__always)
  init?(
    numbers: UInt64, strengths: UInt64, of constellation: SatelliteNumber.Constellation
  ) {
    guard let numbers = Self.values(numbers), let strengths = Self.values(strengths) else {
      return nil
    }
    let each = Self.each
    // Bit 7 of a sum means that the number exceeds its limit.
    let limit = UInt64(127 - SatelliteNumber.lastOfItsOwn)
    let isByConstellation = (numbers &+ each &* limit) >> 7 & each ^ each
    let indices = numbers &+ isByConstellation &* UInt64(constellation.base)
    let isReceived = (strengths &+ each &* 127) >> 7 & each
    all = (strengths << 9 | indices) & (isReceived &* 0xffff)
    seen = indices | each &* 0x8000
  }

  /// Both bytes of a digit pair are 0x30...0x39 if their high digit is 3, also after adding six.
  @inline(__always)
  private static func values(_ digits: UInt64) -> UInt64? {
    let row = each &* 0xf0f0
    guard digits & row == each &* 0x3030, (digits &+ each &* 0x0606) & row == each &* 0x3030
    else { return nil }
    return (digits & (each &* 15)) &* 10 &+ (digits >> 8 & (each &* 15))
  }
}

/// The satellites listed in an epoch, each once even if it is in several groups: NMEA 4.11 has a
/// group for each signal, and u-blox lists satellites without a signal in a separate one.
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

/// The satellites with a measured signal in an epoch. Each counts once, with its strongest signal,
/// even if several sentences and messages report it. The memory is constant.
struct SatelliteSignals {
  /// One bit for each satellite.
  private var received = SIMD8<UInt64>()
  /// The four strongest satellites in 16 bits each, the strongest in the lowest.
  private var best: UInt64 = 0
  /// Whether signals were reported: a report without signals counts, too.
  private(set) var isReported = false

  mutating func markReported() { isReported = true }

  @inline(__always)
  mutating func add(_ signal: SatelliteSignal) { add(FourSignals(signal, .none, .none, .none)) }

  @inline(__always)
  mutating func add(_ four: FourSignals) {
    let first = UInt16(truncatingIfNeeded: four.all)
    let second = UInt16(truncatingIfNeeded: four.all >> 16)
    let third = UInt16(truncatingIfNeeded: four.all >> 32)
    let fourth = UInt16(truncatingIfNeeded: four.all >> 48)
    // A vector's subscript would load and store the whole vector.
    withUnsafeMutableBytes(of: &received) { bytes in
      let words = bytes.assumingMemoryBound(to: UInt64.self)
      // Satellites of one constellation usually share a word.
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

  /// Zero if there is no signal.
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
      // The satellite is removed from its place and ranked again.
      let before = (1 &<< place) &- 1
      best = best & before | best >> 16 & ~before
    }
    insert(new)
  }

  /// Branch-free, because branches would be unpredictable for the first satellites of an epoch.
  @inline(__always)
  private mutating func insert(_ new: UInt16) {
    func isStronger(_ place: UInt64) -> UInt64 {
      UInt16(truncatingIfNeeded: best &>> place) > new ? 16 : 0
    }
    let place = isStronger(0) &+ isStronger(16) &+ isStronger(32)
    let before = (1 &<< place) &- 1
    best = best & before | UInt64(new) &<< place | (best & ~before) << 16
  }

  /// Nil if signals were not reported.
  var signals: SatelliteReception? {
    guard isReported else { return nil }
    var tracked = 0
    for word in 0..<8 where received[word] != 0 { tracked += received[word].nonzeroBitCount }
    return SatelliteReception(
      tracked: tracked, strongest: strength(at: 0), fourth: strength(at: 48))
  }

  private func strength(at place: UInt64) -> DecibelHertz {
    SatelliteSignal(bits: UInt16(truncatingIfNeeded: best &>> place)).strength
  }
}

/// The reception of satellites in one epoch. It indicates long before a fix whether one is
/// possible.
public struct SatelliteReception: Hashable, Sendable {
  /// The number of satellites with a measured signal.
  public var tracked: Int
  /// The carrier-to-noise density of the strongest signal; zero if there is none.
  public var strongest: DecibelHertz
  /// That of the fourth strongest signal, because a position needs four satellites; zero if there
  /// are fewer.
  public var fourth: DecibelHertz

  public init(tracked: Int, strongest: DecibelHertz, fourth: DecibelHertz) {
    self.tracked = tracked
    self.strongest = strongest
    self.fourth = fourth
  }
}
