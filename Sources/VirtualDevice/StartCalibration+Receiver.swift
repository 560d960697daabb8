import Records
import Analysis
import Core

extension StartCalibration {
  /// The calibration for the start-up times of `receiver.model`.
  public init(_ receiver: VirtualReceiverSettings) {
    self.init(
      delay: receiver.bootDelay + receiver.latency, interval: receiver.interval,
      factors: Self.factors)
  }

  /// A start with all navigation data takes its figure with a scatter, nothing else. The mean of so
  /// many is off by 0.15 %.
  private static let factors: [Double] = {
    var model = ReceiverEnergyModel.ubloxM8
    model.hotStart = 1
    var random = SeededRandom(seed: 1)
    return (0..<16_384).map { _ in
      model.searchTime(.hot, knownShare: 1, random: &random).value
    }
  }()
}
