import Config
import Records
import GodwitSettings
import Ports
import GNSS
import Core
import Runtime
import Store
import Tracking
import VirtualDevice

/// Builds a runtime with its devices from settings: the only place where concrete adapters are
/// chosen.
struct Composition {
  enum World: Sendable {
    /// The board's own devices.
    case live
    /// A recording: nothing is switched.
    case replay
    /// The virtual board. If no layer of the settings names a switch, it has an ideal one.
    case virtual(namesSwitch: Bool)
  }

  let settings: Settings
  let world: World

  private var isLive: Bool { if case .live = world { true } else { false } }

  private var isVirtual: Bool { if case .virtual = world { true } else { false } }

  /// Whether the virtual board uses the switch of the settings.
  private var namesSwitch: Bool { if case .virtual(true) = world { true } else { false } }

  init(settings: Settings, world: World) {
    self.settings = settings
    self.world = world
  }

  /// Uses the virtual board.
  init(simulating configuration: Configuration<Settings>) {
    self.init(
      settings: configuration.settings,
      world: .virtual(
        namesSwitch: configuration.origin(of: "power_switch.kind") != .builtIn))
  }

  func trackerSettings(coarseSources: [CoarseSource], evidenceSources: [String]) -> TrackerSettings
  {
    TrackerSettings(
      policy: settings.policy.chosen, pipeline: settings.pipeline,
      acquisition: settings.acquisition, coarse: settings.coarse, receiver: settings.gnss,
      power: PowerSequencer(wiring).capabilities,
      // A virtual ignition is no evidence of a supply.
      externalPower: isVirtual ? .evidenceOnly : settings.externalPowerProfile,
      coarseSources: coarseSources,
      evidenceSources: evidenceSources,
      hasReceiver: !isLive || settings.receiver.kind != .none)
  }

  var decoderOptions: DecoderOptions {
    settings.receiver.decoderOptions
  }

  /// The switch and the monitor of the virtual board exist only in `godwit simulate`.
  func refuseVirtualParts() throws {
    guard settings.powerSwitch.kind != .virtual, settings.powerMonitor.kind != .virtual else {
      throw CommandError.wrongUsage(
        "power_switch.kind and power_monitor.kind \"virtual\" belong to the virtual board of "
          + "'godwit simulate'; set them to \"none\" on a real board")
    }
  }

  /// The wiring of the receiver's switch, and the properties of both.
  var wiring: PowerWiring {
    switch world {
    case .live: liveWiring
    case .replay: .idealSwitch
    case .virtual: virtualWiring
    }
  }

  private var liveWiring: PowerWiring {
    let power = settings.powerSwitch
    return PowerWiring(
      mechanism: power.mechanism, lines: power.wiredLines, settle: power.powerOnDelay,
      hasBackupSupply: power.hasBackupSupply, sleepCommand: power.sleepCommand,
      navigationBackup: power.navigationBackup, family: settings.receiver.family,
      powerSaving: settings.receiver.powerSaving, onExit: power.onExit)
  }

  /// The same with the properties of this receiver's port.
  func wiring(for receiver: (any ReceiverPort)?) -> PowerWiring {
    var wiring = wiring
    guard isLive else { return wiring }
    // Queries to a relayed receiver would disturb the relaying program's communication with it.
    wiring.mayQuery = receiver.map { !$0.isRelayed } ?? false
    if let receiver { wiring.startTimeout = receiver.startTimeout }
    return wiring
  }

  /// If the settings name no switch, the virtual board has an ideal one, which `simulate` reports.
  /// The virtual receiver supports the sleep commands of the families whose protocol it uses, but
  /// no backup of navigation data.
  private var virtualWiring: PowerWiring {
    let power = settings.powerSwitch
    if !namesSwitch { return .idealSwitch }
    return PowerWiring(
      mechanism: power.mechanism, lines: power.wiredLines,
      settle: power.kind == .virtual ? 0 : power.powerOnDelay,
      hasBackupSupply: power.hasBackupSupply, sleepCommand: power.sleepCommand,
      navigationBackup: .none, family: settings.receiver.family ?? .other)
  }

  /// The virtual board's receiver, and its supply.
  var virtualReceiver: VirtualReceiverSettings {
    let power = settings.powerSwitch
    guard namesSwitch else { return VirtualReceiverSettings(model: settings.gnss) }
    let speaksUBX = settings.receiver.family?.speaksUBX == true
    return VirtualReceiverSettings(
      model: settings.gnss, language: speaksUBX ? .ubx : .nmea, supply: power.virtualSupply,
      hasBackup: power.hasBackupSupply)
  }

  /// The lines of the virtual board's switch.
  var virtualLines: Set<PowerLine> { virtualWiring.lines }

  func runtime(
    devices: Devices, receiverModel: ReceiverEnergyModel? = nil,
    decoderOptions: DecoderOptions? = nil,
    policy: PolicySettings? = nil, identifiers known: StoreIdentifiers? = nil, at now: BootInstant
  ) throws(PortError) -> TrackerRuntime {
    var identifiers = known ?? StoreIdentifiers()
    if known == nil, let store = devices.store { identifiers = try store.lastIdentifiers() }
    let destinations = try devices.store?.destinations() ?? []
    var tracker = trackerSettings(
      coarseSources: devices.coarseSources, evidenceSources: devices.evidenceSources)
    if let policy { tracker.policy = policy }
    if let receiverModel { tracker.receiver = receiverModel }
    return TrackerRuntime(
      tracker: Tracker(
        settings: tracker, identifiers: identifiers, destinations: destinations),
      decoder: ReceiverDecoder(options: decoderOptions ?? self.decoderOptions),
      meter: EnergyMeter(model: tracker.receiver, isSimulated: isVirtual, at: now),
      commits: settings.store.commits,
      wiring: wiring(for: devices.receiver), devices: devices)
  }
}

extension Tracker {
  init(
    settings: TrackerSettings, identifiers: StoreIdentifiers, destinations: [Destination]
  ) {
    self.init(
      settings: settings, lastSessionID: identifiers.session, lastVisitID: identifiers.visit,
      lastDestinationID: identifiers.destination, destinations: destinations)
  }
}

extension PowerWiring {
  /// A switch in the supply, without delay.
  fileprivate static let idealSwitch = PowerWiring(
    mechanism: .lines, lines: [.supply], settle: 0, sleepCommand: .none)
}

extension PowerSwitchSettings {
  fileprivate var mechanism: PowerWiring.Mechanism {
    switch kind {
    case .none: .none
    case .gpio, .virtual: .lines
    case .gnss: .deviceOpens
    case .command: .command
    }
  }

  /// A host's board file names its line whether or not anything is connected to it.
  fileprivate var wiredLines: Set<PowerLine> {
    switch kind {
    case .gpio: Set(lines.keys)
    case .virtual: [.supply]
    case .none, .gnss, .command: []
    }
  }

  fileprivate var virtualSupply: VirtualReceiverSettings.Supply {
    switch kind {
    case .gnss: .whileOpen
    case .gpio where lines[.supply] != nil, .virtual: .switched
    case .gpio, .none, .command: .permanent
    }
  }
}
