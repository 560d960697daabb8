import Core

/// Integrates the receiver's charge and energy, by state.
///
/// Between two readings in one state the current is interpolated linearly (trapezoid). From the
/// first reading back to the change of state, and from the last one to the next change, it is
/// constant. Where readings are too far apart for that, the board file's current is used, and the
/// time counts as modelled. Without a monitor, all of it does.
///
/// If the monitor accumulates energy itself, the difference of two readings is exact over any
/// interval, and takes precedence.
public struct EnergyMeter: Sendable {
  public struct Settings: Hashable, Sendable {
    /// While the receiver searches or tracks, its current varies.
    var maxGap: Seconds
    /// Off or asleep, the current does not change between two commands.
    var maxRestingGap: Seconds

    public init(maxGap: Seconds = 10, maxRestingGap: Seconds = .hours(1)) {
      self.maxGap = maxGap
      self.maxRestingGap = maxRestingGap
    }
  }

  /// The currents for unmeasured time.
  public let model: ReceiverEnergyModel
  private let settings: Settings
  /// Whether the receiver and its monitor are those of a virtual board.
  public let isSimulated: Bool
  public private(set) var state: GnssState
  /// When `state` began.
  private(set) var since: BootInstant
  /// Readings that were not usable: not a number, or older than the integrated time.
  public private(set) var readingsIgnored = 0
  /// For `status`: the last reading, in any state.
  private(set) var lastReading: PowerReading?

  private var open = Integration()
  /// A reading taken after the receiver had a fix, while the state was still `acquiring`.
  private var pendingReading: PowerReading?
  private var closed = EnergyTotals()

  public init(
    model: ReceiverEnergyModel, settings: Settings = .init(), state: GnssState = .off,
    isSimulated: Bool = false, at start: BootInstant
  ) {
    self.isSimulated = isSimulated
    self.model = model
    self.settings = settings
    self.state = state
    since = start
  }

  /// Closes the interval of the current state. Nil if the state is the same, or if the interval has
  /// zero length. A moment before the last reading is replaced by that of the reading.
  @discardableResult
  public mutating func stateChanged(to next: GnssState, at now: BootInstant) -> StateInterval? {
    guard next != state else { return nil }
    let found = pendingReading
    let interval = close(at: now)
    state = next
    if next == .tracking, let found { integrate(found) }
    return interval
  }

  /// Closes the current interval without a change of state: at the end of the daemon, or to store a
  /// long state before it ends.
  public mutating func close(at now: BootInstant) -> StateInterval? {
    let end = max(now, pendingReading?.taken ?? open.last?.taken ?? since)
    pendingReading = nil
    defer {
      since = end
      open = Integration()
    }
    guard end > since else { return nil }
    let tally = finished(at: end)
    closed.tallies[state] = closed[state] + tally
    return StateInterval(
      state: state, start: since, tally: tally, isSimulated: isSimulated)
  }

  /// A reading that is not new changes nothing.
  /// - Parameter hasFix: whether the receiver already has a fix. While the state is still
  ///   `acquiring`, the current has then changed already. It does not apply to the time before,
  ///   unless it is the only reading of that state.
  public mutating func add(_ reading: PowerReading, hasFix: Bool = false) {
    if let earlier = pendingReading {
      pendingReading = nil
      integrate(earlier)
    }
    if hasFix, state == .acquiring, open.last != nil, reading.accumulatedEnergy == nil {
      pendingReading = reading
    } else {
      integrate(reading)
    }
  }

  private mutating func integrate(_ reading: PowerReading) {
    guard reading.isNew else { return }
    let isNumber =
      reading.current.isFinite && reading.voltage.isFinite && reading.currentUncertainty.isFinite
    guard isNumber, reading.taken >= since, open.last.map({ reading.taken > $0.taken }) ?? true
    else {
      readingsIgnored += 1
      return
    }
    let previous = lastReading
    lastReading = reading
    let usable = withFloorFilled(reading)
    let before = open.last ?? usable
    let begin = open.last?.taken ?? since
    let time = reading.taken - begin
    let counted = previous.flatMap {
      AccumulatedStretch(from: $0, to: reading, over: time)?.tally(
        uncertainty: (before.currentUncertainty + usable.currentUncertainty) * 0.5)
    }
    var added = counted ?? stretch(from: before, to: usable, over: time)
    added.belowFloorDuration = added.measuredDuration * Self.shareBelowFloor(before, usable)
    open.tally = open.tally + added
    open.append(usable)
  }

  /// The totals until now, including the current state.
  public func totals(at now: BootInstant) -> EnergyTotals {
    var totals = closed
    guard now > since else { return totals }
    totals.tallies[state] = closed[state] + finished(at: max(now, open.last?.taken ?? since))
    return totals
  }

  private func finished(at end: BootInstant) -> EnergySum {
    var tally = open.tally
    if let last = open.last {
      var added = stretch(from: last, to: last, over: end - last.taken)
      added.belowFloorDuration = added.measuredDuration * Self.shareBelowFloor(last, last)
      tally = tally + added
    } else {
      tally = tally + modelled(end - since)
    }
    tally.scatterSquared += open.scatterSquared(over: tally.measuredDuration)
    return tally
  }

  private static func shareBelowFloor(_ a: PowerReading, _ b: PowerReading) -> Double {
    (a.isBelowFloor ? 0.5 : 0) + (b.isBelowFloor ? 0.5 : 0)
  }

  private func stretch(
    from a: PowerReading, to b: PowerReading, over time: Seconds
  ) -> EnergySum {
    let isResting = [.off, .coarse, .sleeping].contains(state)
    guard time <= (isResting ? settings.maxRestingGap : settings.maxGap) else {
      return modelled(time)
    }
    let uncertainty = a.currentUncertainty * a.voltage + b.currentUncertainty * b.voltage
    var tally = EnergySum()
    tally.duration = time
    tally.measuredDuration = time
    tally.charge = (a.current + b.current) * 0.5 * time
    tally.measuredCharge = tally.charge
    tally.energy = (a.power + b.power) * 0.5 * time
    tally.systematic = uncertainty * 0.5 * time
    return tally
  }

  private func modelled(_ time: Seconds) -> EnergySum {
    var tally = EnergySum()
    tally.duration = time
    tally.charge = model.current(in: state) * time
    tally.energy = tally.charge * model.supply
    return tally
  }

  /// Below the monitor's floor only an upper limit of the current is known. The board file's figure
  /// is the best estimate, unless it exceeds that limit.
  private func withFloorFilled(_ reading: PowerReading) -> PowerReading {
    guard reading.isBelowFloor else { return reading }
    var filled = reading
    filled.current = min(model.current(in: state), reading.currentUncertainty)
    return filled
  }
}

/// The readings of the open interval.
private struct Integration: Sendable {
  var tally = EnergySum()
  private(set) var last: PowerReading?
  private var readings = 0
  private var squaredSteps = 0.0

  mutating func append(_ reading: PowerReading) {
    if let last {
      let step = reading.power.value - last.power.value
      squaredSteps += step * step
    }
    readings += 1
    last = reading
  }

  /// The uncertainty of the energy from the scatter of the readings: the mean of n readings
  /// scatters by s / √n. `s` comes from the steps between adjacent readings (von Neumann, 1941), so
  /// that a slow drift, which the trapezoid follows, does not count as noise.
  func scatterSquared(over time: Seconds) -> Double {
    guard readings > 1 else { return 0 }
    let variance = squaredSteps / Double(2 * (readings - 1))
    return variance / Double(readings) * time.value * time.value
  }
}
