import Core
import Records

/// When GNSS is wanted. Each policy is one small value that receives the tracker's findings and
/// returns a demand; powering, time limits, back-off and holds are handled by the tracker.
public protocol Policy: Sendable {
  /// Its name, its settings, and the traits that the tracker needs.
  static var descriptor: PolicyDescriptor { get }

  /// Its present demand; nil: none, and the other demands do not matter to it. It receives no
  /// location that is less accurate than it demands.
  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand?

  /// Called once before anything else, and again after a restart.
  mutating func started(at now: BootInstant)

  /// Handles a trusted GNSS location. Returns whether it belongs to the sparse trajectory.
  mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool

  /// Handles an accepted coarse location. Returns whether it belongs to the trajectory.
  mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool

  /// When it next needs a coarse location of sources that have to be queried; nil: it needs none.
  func coarseDue(in context: TrackingContext) -> BootInstant?

  /// The search was abandoned without a location, or without one of sufficient accuracy.
  mutating func searchFailed(at now: BootInstant)

  /// Its energy budget; nil: there is no limit.
  var budget: EnergyBudget? { get set }

  /// Reports the energy drawn, before any other event, to a policy with a budget.
  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant, in context: TrackingContext)

  /// The rates that the budget affords at present; nil without one.
  func affordable(in context: TrackingContext) -> AffordableRates?

  /// The surroundings whose places it needs, once; nil: it has what it needs. Called after every
  /// event for a policy that follows places.
  mutating func takePlaceSearch() -> SphericalCap?

  /// Receives the places of requested surroundings, also after changes. They replace the earlier
  /// ones and are complete within the cap, which is narrower than requested if there are too many.
  mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant)
}

extension Policy {
  public func coarseDue(in context: TrackingContext) -> BootInstant? { nil }

  // A policy has no budget unless it declares one.
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

/// The description of a policy, in its own file.
public struct PolicyDescriptor: Sendable {
  /// In settings, `status` and results.
  public let name: String
  /// What it does, in a sentence, for the manual.
  public let doc: String
  let traits: PolicyTraits
  /// Its settings; nil: none.
  public let settings: (any SettingGroup.Type)?
  let make: @Sendable (SettingCollection, _ hasCoarseSource: Bool) -> any Policy

  /// - Parameter make: from its settings, and whether a coarse source reports locations
  ///   unsolicited.
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

  /// A policy without settings.
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

/// What the tracker needs to know about a policy.
public struct PolicyTraits: Hashable, Sendable {
  /// Whether a failed search is abandoned, and repeated after a pause.
  var givesUpSearching: Bool
  /// Whether fixes are dense, so that the error-bounded simplification forms the trajectory.
  var keepsShape: Bool
  /// Whether it sets the pause after a search that was abandoned for lack of signals.
  var pacesSearches: Bool
  /// Whether it does so, too, where the receiver does not report reception.
  var pacesBlindly: Bool
  /// Whether it receives the places around the board.
  var followsPlaces: Bool

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

/// All policies: a new one is its own file, and its line here.
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

/// A policy with its settings.
public struct PolicySettings: Equatable, Sendable {
  private let descriptor: PolicyDescriptor
  private let constants: SettingCollection

  public init(
    _ descriptor: PolicyDescriptor, _ constants: SettingCollection = SettingCollection()
  ) {
    self.descriptor = descriptor
    self.constants = constants
  }

  /// With settings of the policy.
  init<Settings: SettingGroup>(_ descriptor: PolicyDescriptor, _ settings: Settings) {
    var constants = SettingCollection()
    constants[Settings.self] = settings
    self.init(descriptor, constants)
  }

  public var name: String { descriptor.name }

  /// - Parameter hasCoarseSource: whether a coarse source reports locations unsolicited.
  func make(hasCoarseSource: Bool) -> any Policy { descriptor.make(constants, hasCoarseSource) }

  public static func == (a: PolicySettings, b: PolicySettings) -> Bool {
    a.name == b.name && a.constants == b.constants
  }
}
