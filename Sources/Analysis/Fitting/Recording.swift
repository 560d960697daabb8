import Core
import Records

/// A recording of the monitor by `power record`: readings at a constant rate.
public struct Recording: Sendable {
  public struct Sample: Sendable {
    /// Since the recording's start.
    var elapsed: Seconds
    var current: Amperes
    var uncertainty: Amperes
    var voltage: Volts

    public init(elapsed: Seconds, current: Amperes, uncertainty: Amperes, voltage: Volts) {
      self.elapsed = elapsed
      self.current = current
      self.uncertainty = uncertainty
      self.voltage = voltage
    }
  }

  /// The date of the first sample.
  var start: UTCInstant
  /// In the order of time.
  var samples: [Sample]

  public init(start: UTCInstant, samples: [Sample]) {
    self.start = start
    self.samples = samples
  }

  /// Excluded at both ends of a segment: the two clocks may differ, and a session's date is that of
  /// the fix's last byte.
  static let margin: Seconds = 1.5
  static let fewestSamples = 10

  /// Replaces the stored charge and energy of segments by the recorded ones: the state is the
  /// store's, the current the recording's. Segments outside the recording stay as they are.
  ///
  /// - Returns: the segments, and the number of recorded ones.
  public func measuring(_ segments: [PowerSegment]) -> (segments: [PowerSegment], recorded: Int) {
    var recorded = 0
    let all = segments.map { segment in
      guard let measured = measured(segment) else { return segment }
      recorded += 1
      return measured
    }
    return (all, recorded)
  }

  private func measured(_ segment: PowerSegment) -> PowerSegment? {
    let from: Seconds = segment.start - start + Self.margin
    let to: Seconds = segment.start + segment.duration - start - Self.margin
    let part = samples[index(of: from)..<max(index(of: from), index(of: to))]
    guard part.count >= Self.fewestSamples, let first = part.first, let last = part.last,
      last.elapsed > first.elapsed
    else { return nil }
    let count = Double(part.count)
    let current = part.reduce(0.0) { $0 + $1.current.value } / count
    let power = part.reduce(0.0) { $0 + $1.current.value * $1.voltage.value } / count
    let systematic =
      part.reduce(0.0) { $0 + $1.uncertainty.value * $1.voltage.value.magnitude } / count
    // s / √n from the steps between neighbours, as in `EnergyMeter` (von Neumann, 1941).
    let steps = zip(part, part.dropFirst()).reduce(0.0) { sum, pair in
      let step = (pair.1.current.value - pair.0.current.value) * pair.1.voltage.value
      return sum + step * step
    }
    let scatter = steps / (2 * (count - 1)) / count
    let duration = last.elapsed - first.elapsed
    return PowerSegment(
      state: segment.state, start: start + first.elapsed, duration: duration,
      charge: Coulombs(current * duration.value), energy: Joules(power * duration.value),
      energyUncertainty: Joules(
        (systematic * systematic + scatter).squareRoot() * duration.value),
      basis: .measured)
  }

  /// The index of the first sample at that time or later.
  private func index(of elapsed: Seconds) -> Int {
    var low = 0
    var high = samples.count
    while low < high {
      let middle = (low + high) / 2
      if samples[middle].elapsed < elapsed { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
