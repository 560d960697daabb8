import Records
import Core

/// All settings of tracking.
public struct TrackerSettings: Equatable, Sendable {
  public var policy: PolicySettings
  var pipeline: LocationSettings
  public var acquisition: AcquisitionSettings
  var coarse: CoarseSettings
  public var receiver: ReceiverEnergyModel
  public var power: PowerCapabilities
  /// The use of an external supply.
  var externalPower: ExternalPowerProfile
  /// The sources of rough locations other than GNSS.
  public var coarseSources: [CoarseSource]
  /// The names of the sources that report movement or surroundings.
  public var evidenceSources: [String]
  /// Without a receiver there are no searches.
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

/// A source of rough locations.
public struct CoarseSource: Hashable, Sendable {
  let name: String
  let delivery: CoarseDelivery

  public init(_ name: String, _ delivery: CoarseDelivery = .significantChanges) {
    self.name = name
    self.delivery = delivery
  }
}
