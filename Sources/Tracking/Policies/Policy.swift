import Core
import Records

/// When GNSS is wanted. Each policy is one small value that hears what the tracker learnt and
/// answers with a demand; powering, time limits, back-off and holds belong to the machinery around
/// it.
public protocol Policy: Sendable {
  /// What it is called, what can be set about it, and what the machinery has to know of it.
  static var descriptor: PolicyDescriptor { get }

  /// What it wants now; nil: nothing, and it does not matter to it what the others want. It is
  /// given no location that is less accurate than it demands.
  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand?

  /// Called once before anything else, and again after a restart.
  mutating func started(at now: BootInstant)

  /// A trusted GNSS location has come. Answers whether it belongs to the sparse trajectory.
  mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool

  /// A coarse location has come, already judged. Answers whether it belongs to the trajectory.
  mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool

  /// When it next wants a coarse location of sources that have to be asked; nil: it can do without.
  func coarseDue(in context: TrackingContext) -> BootInstant?

  /// The search was given up without a location, or without one that is accurate enough.
  mutating func searchFailed(at now: BootInstant)

  /// What energy it may use; nil: there is no limit.
  var budget: EnergyBudget? { get set }

  /// Energy has been drawn. Told before anything else that happens, to one with a budget.
  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant, in context: TrackingContext)

  /// What the budget buys at present; nil without one.
  func affordable(in context: TrackingContext) -> AffordableRates?

  /// The surroundings whose places it wants to be told, once; nil: it has what it needs. Asked
  /// after everything that happens, of one that follows places.
  mutating func takePlaceSearch() -> SphericalCap?

  /// The places of surroundings that it asked for, or that have changed since. Replaces those that
  /// it was told before. They are all there are within the cap, which is narrower than what it
  /// asked for where that has too many.
  mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant)
}

extension Policy {
  public func coarseDue(in context: TrackingContext) -> BootInstant? { nil }

  // A policy that keeps no budget has none.
  public var budget: EnergyBudget? {
    get { nil }
    set {}
  }

  public mutating func drawn(
    _ draw: EnergyDraw, at now: BootInstant, in context: TrackingContext
  ) {}

  public func affordable(in context: TrackingContext) -> AffordableRates? { nil }

  public mutating func takePlaceSearch() -> SphericalCap? { nil }

  public mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant
  ) {}
}

/// All that is to be said of a policy, in its own file.
public struct PolicyDescriptor: Sendable {
  /// In settings, `status` and results.
  public let name: String
  /// What it does, in a sentence, for the manual.
  public let doc: String
  public let traits: PolicyTraits
  /// What can be set about it; nil: nothing.
  public let settings: (any SettingGroup.Type)?
  let make: @Sendable (SettingCollection, _ hasCoarseSource: Bool) -> any Policy

  /// - Parameter make: from its settings, and whether something else than GNSS can tell a rough
  ///   location.
  public init<Settings: SettingGroup>(
    _ name: String, doc: String, traits: PolicyTraits = PolicyTraits(),
    settings: Settings.Type,
    make: @escaping @Sendable (Settings, _ hasCoarseSource: Bool) -> any Policy
  ) {
    self.name = name
    self.doc = doc
    self.traits = traits
    self.settings = settings
    self.make = { make($0[settings], $1) }
  }

  /// A policy about which nothing can be set.
  public init(
    _ name: String, doc: String, traits: PolicyTraits = PolicyTraits(),
    make: @escaping @Sendable () -> any Policy
  ) {
    self.name = name
    self.doc = doc
    self.traits = traits
    settings = nil
    self.make = { _, _ in make() }
  }
}

/// What the machinery around a policy has to know of it.
public struct PolicyTraits: Hashable, Sendable {
  /// Whether a search that comes to nothing is given up, and tried again after a pause.
  public var givesUpSearching: Bool
  /// Whether the trajectory is what the error-bounded simplification keeps of a dense source.
  public var keepsShape: Bool
  /// Whether it says itself how soon a search follows one that was given up for want of signals.
  public var pacesSearches: Bool
  /// Whether it does so, too, where the receiver has not told what it heard.
  public var pacesBlindly: Bool
  /// Whether it is to be told of the places around the board.
  public var followsPlaces: Bool

  public init(
    givesUpSearching: Bool = true, keepsShape: Bool = false, pacesSearches: Bool = false,
    pacesBlindly: Bool = false, followsPlaces: Bool = false
  ) {
    self.givesUpSearching = givesUpSearching
    self.pacesSearches = pacesSearches
    self.pacesBlindly = pacesBlindly
    self.followsPlaces = followsPlaces
    self.keepsShape = keepsShape
  }
}

/// The policies that there are: a new one is its own file, and its line here.
public enum PolicyCatalogue {
  /// In the order of the manual. The first is the default.
  public static let all = [
    AdaptivePolicy.descriptor,
    HybridPolicy.descriptor,
    PeriodicPolicy.descriptor,
    ContinuousPolicy.descriptor,
    ProximityPolicy.descriptor,
    ApproachPolicy.descriptor,
  ]

  public static func named(_ name: String) -> PolicyDescriptor? { all.first { $0.name == name } }
}

/// Which policy, with its settings.
public struct PolicySettings: Equatable, Sendable {
  private let descriptor: PolicyDescriptor
  private let constants: SettingCollection

  public init(
    _ descriptor: PolicyDescriptor, _ constants: SettingCollection = SettingCollection()
  ) {
    self.descriptor = descriptor
    self.constants = constants
  }

  /// With these settings of the policy's.
  public init<Settings: SettingGroup>(_ descriptor: PolicyDescriptor, _ settings: Settings) {
    var constants = SettingCollection()
    constants[Settings.self] = settings
    self.init(descriptor, constants)
  }

  public var name: String { descriptor.name }

  /// - Parameter hasCoarseSource: whether something else than GNSS can tell a rough location.
  func make(hasCoarseSource: Bool) -> any Policy { descriptor.make(constants, hasCoarseSource) }

  public static func == (a: PolicySettings, b: PolicySettings) -> Bool {
    a.name == b.name && a.constants == b.constants
  }
}
