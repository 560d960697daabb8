import Core

/// A receiver's current in each state and its start-up times: the figures of a board file. Used
/// without a monitor, and by the virtual monitor.
///
/// Defaults: u-blox SAM-M8Q on a breakout, 32/29 mA and ~15 µA backup at 3 V, 26 s cold, 1 s hot
/// (data sheet UBX-16012619). The data sheet gives no warm start; 20 s is between the two.
public struct ReceiverEnergyModel: Hashable, SettingGroup {
  public var supply: Volts = 3.3
  public var acquiring: Amperes = 0.032
  public var tracking: Amperes = 0.029
  public var sleeping = Amperes(milliamperes: 0.015)
  public var off = Amperes(milliamperes: 0.015)
  public var coldStart: Seconds = 26
  public var warmStart: Seconds = 20
  public var hotStart: Seconds = 1
  /// The share of hot starts that take `slowStart`, because some ephemerides are missing.
  public var slowStartPercent = 0.0
  public var slowStart: Seconds = 30

  public init() {}

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

  public static let ubloxM8 = ReceiverEnergyModel()

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "gnss",
      "Current of the receiver in each state, and its start-up times: from its data sheet or, "
        + "better, measured. The defaults are those of a u-blox SAM-M8Q (UBX-16012619).")
    setting("supply_V", &supply, .quantity(0.5...30), "Voltage of the receiver's supply.")
    setting("acquiring_mA", &acquiring, .quantity(0...2000), "Current while it searches.")
    setting("tracking_mA", &tracking, .quantity(0...2000), "Current while it delivers fixes.")
    setting("sleeping_mA", &sleeping, .quantity(0...2000), "Current while asleep by command.")
    setting(
      "off_mA", &off, .quantity(0...2000),
      "Current while the switch is off: backup supply and leakage.")
    setting(
      "cold_start_s", &coldStart, .quantity(0.1...3600),
      "Time to first fix without any data. Searches are predicted from it until the receiver's own "
        + "times have been learnt.")
    setting(
      "warm_start_s", &warmStart, .quantity(0.1...3600),
      "Time to first fix with an almanac and rough time, but old ephemeris.")
    setting(
      "hot_start_s", &hotStart, .quantity(0.1...3600),
      "Time to first fix with fresh ephemeris.")
    setting(
      "slow_start_percent", &slowStartPercent, .ratio(0...100),
      "Share of hot starts that take slow_start_s instead, in percent: for receivers with mostly "
        + "fast and some slow starts, a single mean is misleading.")
    setting(
      "slow_start_s", &slowStart, .quantity(0.1...3600),
      "Time to first fix of these slow starts.")
  }

  /// The average duration of a start with fresh ephemeris.
  public var meanHotStart: Seconds { hotStart + (slowStart - hotStart) * (slowStartPercent / 100) }

  /// The longest usual start: with old ephemeris, or a slow one with fresh ephemeris.
  public var slowestWarmStart: Seconds {
    slowStartPercent > 0 ? max(warmStart, slowStart) : warmStart
  }

  public func current(in state: GnssState) -> Amperes {
    switch state {
    case .off, .coarse: off
    case .sleeping: sleeping
    case .acquiring: acquiring
    case .tracking: tracking
    }
  }

  /// The lowest power while the receiver is not needed.
  public func restingPower(_ capabilities: PowerCapabilities) -> Watts {
    let asleep = capabilities.canSleep ? sleeping : tracking
    let cut = capabilities.canCut ? off : tracking
    return min(asleep, cut, tracking) * supply
  }

  /// The power during a search.
  public var searchingPower: Watts { acquiring * supply }
}

extension ReceiverEnergyModel {
  /// The minimum measured time before the mean current of a state is used. While the receiver
  /// searches or tracks, the current settles within seconds; at rest it is small compared with the
  /// monitor's steps.
  public static func minMeasured(in state: GnssState) -> Seconds {
    switch state {
    case .acquiring, .tracking: 60
    case .sleeping, .off, .coarse: .minutes(5)
    }
  }

  /// The same receiver with measured currents in the states that were measured for long enough; the
  /// others keep the board file's. The voltage is unchanged, because decisions compare charges at
  /// one voltage.
  public func refined(by totals: EnergyTotals) -> ReceiverEnergyModel {
    func current(_ state: GnssState, _ tally: EnergySum) -> Amperes {
      let mean = tally.measuredCharge / tally.measuredDuration
      guard tally.measuredDuration >= Self.minMeasured(in: state), mean.isFinite, mean >= 0 else {
        return self.current(in: state)
      }
      return mean
    }
    var refined = self
    refined.acquiring = current(.acquiring, totals[.acquiring])
    refined.tracking = current(.tracking, totals[.tracking])
    refined.sleeping = current(.sleeping, totals[.sleeping])
    refined.off = current(.off, totals.resting)
    return refined
  }
}
