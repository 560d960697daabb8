import Quantities
import Records

/// What a receiver draws in each state and how soon it finds itself: the figures of a board file.
/// It stands in for a monitor where there is none, and drives the virtual one.
public struct ReceiverEnergyModel: Hashable, Sendable {
  public var supply: Volts
  public var acquiring: Amperes
  public var tracking: Amperes
  public var sleeping: Amperes
  /// What flows while the switch is off: backup supply, leakage.
  public var off: Amperes
  /// Time to first fix with nothing known, with an almanac and rough time, with fresh ephemeris.
  public var coldStart: Seconds
  public var warmStart: Seconds
  public var hotStart: Seconds

  /// u-blox SAM-M8Q on a breakout: 32/29 mA and ~15 µA backup at 3 V, 26 s cold, 1 s hot
  /// (data sheet UBX-16012619). Warm start is not given there; 20 s lies between.
  public static let ubloxM8 = ReceiverEnergyModel(
    supply: 3.3, acquiring: 0.032, tracking: 0.029, sleeping: Amperes(milliamperes: 0.015),
    off: Amperes(milliamperes: 0.015),
    coldStart: 26, warmStart: 20, hotStart: 1)

  public init(
    supply: Volts, acquiring: Amperes, tracking: Amperes, sleeping: Amperes, off: Amperes,
    coldStart: Seconds, warmStart: Seconds, hotStart: Seconds
  ) {
    self.supply = supply
    self.acquiring = acquiring
    self.tracking = tracking
    self.sleeping = sleeping
    self.off = off
    self.coldStart = coldStart
    self.warmStart = warmStart
    self.hotStart = hotStart
  }

  public func current(in state: GnssState) -> Amperes {
    switch state {
    case .off, .coarse: off
    case .sleeping: sleeping
    case .acquiring: acquiring
    case .tracking: tracking
    }
  }
}
