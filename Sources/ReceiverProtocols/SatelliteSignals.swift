import Quantities

/// A satellite under one number, whoever tells of it.
///
/// NMEA 0183 numbers satellites by constellation: GPS 1...32, SBAS 33...64, GLONASS 65...96, QZSS
/// 193...202, and Galileo, BeiDou and NavIC from 1 under their own talkers. Receivers that speak of
/// them all under one talker continue as u-blox and MediaTek do: Galileo from 301, BeiDou from 401
/// (u-blox M8 protocol description, UBX-13003221, appendix A).
struct SatelliteNumber: Equatable {
  /// 0..<512.
  let index: UInt16

  init(talker: UInt16, number: Int) {
    let base =
      switch talker {
      case NMEATalker.gl: 64
      case NMEATalker.ga: 300
      case NMEATalker.gb, NMEATalker.bd: 400
      case NMEATalker.gq, NMEATalker.qz: 192
      case NMEATalker.gi: 240
      default: 0
      }
    index = UInt16(truncatingIfNeeded: (number <= 64 ? base + number : number) & 511)
  }
}

/// A satellite and how strongly it is heard, in two bytes: comparing two compares the strengths.
struct SatelliteSignal: Equatable {
  static let none = SatelliteSignal(bits: 0)
  /// In dB-Hz; no receiver measures more, and a field of NMEA has two digits.
  static let strongest = 99

  fileprivate let bits: UInt16

  fileprivate init(bits: UInt16) { self.bits = bits }

  /// - Parameter strength: in dB-Hz; what is above `strongest` counts as that, none as no signal.
  init(_ satellite: SatelliteNumber, strength: Int) {
    let strength = UInt16(max(0, min(strength, Self.strongest)))
    bits = strength == 0 ? 0 : strength << 9 | satellite.index
  }

  var strength: DecibelHertz { DecibelHertz(Double(bits >> 9)) }
  fileprivate var index: Int { Int(bits & 511) }
}

/// The satellites whose signals have been measured in an epoch, each counted once and by its
/// strongest signal, whichever sentences and messages told of it. What it keeps does not grow.
struct SatelliteSignals {
  /// One bit for each satellite.
  private var heard = SIMD8<UInt64>()
  /// The four strongest satellites, strongest first.
  private var best = (
    SatelliteSignal.none, SatelliteSignal.none, SatelliteSignal.none, SatelliteSignal.none
  )
  /// Whether anything was said about signals: that there are none is news, too.
  private var isTold = false

  mutating func tell() { isTold = true }

  @inline(__always)
  mutating func hear(_ signal: SatelliteSignal) {
    guard signal != .none else { return }
    heard[signal.index >> 6] |= 1 << UInt64(signal.index & 63)
    if signal.bits > best.3.bits { rank(signal) }
  }

  /// Where the satellite is among the best already, that place is what it gives up.
  private mutating func rank(_ signal: SatelliteSignal) {
    var carried = signal
    settle(&carried, &best.0, signal)
    settle(&carried, &best.1, signal)
    settle(&carried, &best.2, signal)
    settle(&carried, &best.3, signal)
  }

  /// Puts the stronger one into the place and carries the weaker one on; a satellite that is
  /// carried past its own former place takes it, and nothing is carried any further.
  private func settle(
    _ carried: inout SatelliteSignal, _ place: inout SatelliteSignal, _ new: SatelliteSignal
  ) {
    guard carried != .none else { return }
    if place.index == new.index, place != .none {
      if carried.bits > place.bits { place = carried }
      carried = .none
    } else if carried.bits > place.bits {
      swap(&carried, &place)
    }
  }

  /// Nil when nothing was said about signals.
  var signals: SkySignals? {
    guard isTold else { return nil }
    var tracked = 0
    for word in 0..<8 { tracked += heard[word].nonzeroBitCount }
    return SkySignals(
      tracked: tracked, strongest: best.0.strength, fourth: best.3.strength)
  }
}
