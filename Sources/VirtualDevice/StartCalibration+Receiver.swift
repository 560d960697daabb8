import Records
import Analysis
import Core

extension StartCalibration {
  /// What the start-up times of `receiver.model` come to.
  public init(_ receiver: VirtualReceiverSettings) {
    self.init(
      delay: receiver.bootDelay + receiver.latency, interval: receiver.interval,
      factors: Self.factors)
  }

  /// A start that knows everything takes its figure and the scatter around it, nothing else. The
  /// mean of so many is off by 0.15 %.
  private static let factors: [Double] = {
    var model = ReceiverEnergyModel.ubloxM8
    model.hotStart = 1
    var random = SeededRandom(seed: 1)
    return (0..<16_384).map { _ in
      model.searchTime(.hot, knownShare: 1, random: &random).value
    }
  }()
}
