import Quantities

/// A satellite under one number, whoever tells of it.
///
/// NMEA 0183 numbers satellites by constellation: GPS 1...32, SBAS 33...64, GLONASS 65...96, QZSS
/// 193...202, and Galileo, BeiDou and NavIC from 1 under their own talkers. Receivers that speak of
/// them all under one talker continue as u-blox and MediaTek do: Galileo from 301, BeiDou from 401
/// (u-blox M8 protocol description, UBX-13003221, appendix A).
struct SatelliteNumber: Equatable {
  /// 0..<512.
  fileprivate let index: UInt16

  @inline(__always)
  init(_ number: Int, of constellation: Constellation) {
    let base = number <= 64 ? constellation.base : 0
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
  fileprivate var index: Int { Int(bits & 511) }
}

/// The satellites whose signals have been measured in an epoch, each counted once and by its
/// strongest signal, whichever sentences and messages told of it. What it keeps does not grow.
struct SatelliteSignals {
  /// One bit for each satellite.
  private var heard = SIMD8<UInt64>()
  /// The four strongest satellites, strongest first.
  private var best: Best = (0, 0, 0, 0)
  /// Whether anything was said about signals: that there are none is news, too.
  private var isTold = false

  private typealias Best = (UInt16, UInt16, UInt16, UInt16)

  mutating func tell() { isTold = true }

  @inline(__always)
  mutating func hear(_ signal: SatelliteSignal) {
    guard signal != .none else { return }
    // A vector's subscript would load and store all of it.
    withUnsafeMutableBytes(of: &heard) { bytes in
      bytes[signal.index >> 3] |= 1 << UInt8(truncatingIfNeeded: signal.index & 7)
    }
    if signal.bits > best.3 { rank(signal.bits) }
  }

  private mutating func rank(_ new: UInt16) {
    let (a, b, c, d) = best
    let same: UInt16 = 511
    if (a ^ new) & same != 0, (b ^ new) & same != 0, (c ^ new) & same != 0, (d ^ new) & same != 0 {
      insert(new)
    } else if a != new, b != new, c != new {
      rankAgain(new)
    }
  }

  /// Without a branch: in an epoch's first satellites none could be foreseen.
  private mutating func insert(_ new: UInt16) {
    best = (
      max(best.0, new), max(best.1, min(best.0, new)), max(best.2, min(best.1, new)),
      max(best.3, min(best.2, new))
    )
  }

  /// Another signal of a satellite that is among the best: if it is a stronger one, the satellite
  /// gives up its place and is ranked anew.
  private mutating func rankAgain(_ new: UInt16) {
    let before = best
    best = (0, 0, 0, 0)
    var stronger = new
    func keep(_ one: UInt16) {
      if (one ^ new) & 511 == 0 { stronger = max(stronger, one) } else { insert(one) }
    }
    keep(before.0)
    keep(before.1)
    keep(before.2)
    keep(before.3)
    insert(stronger)
  }

  /// Nil when nothing was said about signals.
  var signals: SkySignals? {
    guard isTold else { return nil }
    var tracked = 0
    for word in 0..<8 { tracked += heard[word].nonzeroBitCount }
    return SkySignals(
      tracked: tracked, strongest: Self.strength(best.0), fourth: Self.strength(best.3))
  }

  private static func strength(_ bits: UInt16) -> DecibelHertz {
    SatelliteSignal(bits: bits).strength
  }
}
