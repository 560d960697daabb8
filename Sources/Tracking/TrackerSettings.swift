import Records
import Core

/// Everything that can be set about tracking.
public struct TrackerSettings: Equatable, Sendable {
  public var policy: PolicySettings
  public var pipeline: LocationSettings
  public var acquisition: AcquisitionSettings
  public var coarse: CoarseSettings
  public var receiver: ReceiverEnergyModel
  public var power: PowerCapabilities
  /// What a supply beside the battery is used for.
  public var externalPower: ExternalPowerProfile
  /// What else than GNSS can tell a rough location.
  public var coarseSources: [CoarseSource]
  /// The names of what tells whether the board moves, and of what is around it.
  public var evidenceSources: [String]
  /// Without a receiver nothing is searched for.
  public var hasReceiver: Bool

  public init(
    policy: PolicySettings = .hybrid(HybridSettings()),
    pipeline: LocationSettings = LocationSettings(),
    acquisition: AcquisitionSettings = AcquisitionSettings(),
    coarse: CoarseSettings = CoarseSettings(), receiver: ReceiverEnergyModel = .ubloxM8,
    power: PowerCapabilities = PowerCapabilities(),
    externalPower: ExternalPowerProfile = .evidenceOnly, coarseSources: [CoarseSource] = [],
    evidenceSources: [String] = [],
    hasReceiver: Bool = true
  ) {
    self.policy = policy
    self.pipeline = pipeline
    self.acquisition = acquisition
    self.coarse = coarse
    self.receiver = receiver
    self.power = power
    self.externalPower = externalPower
    self.coarseSources = coarseSources
    self.evidenceSources = evidenceSources
    self.hasReceiver = hasReceiver
  }
}

/// One that can tell a rough location.
public struct CoarseSource: Hashable, Sendable {
  public let name: String
  public let delivery: CoarseDelivery

  public init(_ name: String, _ delivery: CoarseDelivery = .significantChanges) {
    self.name = name
    self.delivery = delivery
  }
}
