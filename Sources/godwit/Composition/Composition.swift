import Energy
import GodwitSettings
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Records
import Runtime
import Store
import Tracking
import VirtualDevice

/// From settings to a runtime with its devices: the one place where concrete adapters are chosen.
struct Composition {
  let settings: Settings
  /// Whether the receiver of the settings is used: replays and simulations have their own.
  var isLive = false

  func trackerSettings(coarseSources: [String], evidenceSources: [String]) -> TrackerSettings {
    TrackerSettings(
      policy: settings.policy.chosen, pipeline: settings.pipeline,
      acquisition: settings.acquisition, coarse: settings.coarse, receiver: settings.gnss,
      power: PowerSequencer(wiring).capabilities, coarseSources: coarseSources,
      evidenceSources: evidenceSources,
      hasReceiver: !isLive || settings.receiver.kind != .none)
  }

  var decoderOptions: DecoderOptions {
    settings.receiver.decoderOptions
  }

  /// The stores that a run with its own store must not write to.
  var stores: ProtectedStores { ProtectedStores([settings.store.path]) }

  /// The switch and the monitor of the virtual board exist only in `godwit simulate`.
  func refuseVirtualParts() throws {
    guard settings.powerSwitch.kind != .virtual, settings.powerMonitor.kind != .virtual else {
      throw CommandError.wrongUsage(
        "power_switch.kind and power_monitor.kind \"virtual\" belong to the virtual board of "
          + "'godwit simulate'; set them to \"none\" to run on a real one")
    }
  }

  /// How the receiver is switched: by the settings in the live world, otherwise by a supply line
  /// without delay.
  var wiring: PowerWiring {
    let power = settings.powerSwitch
    guard isLive else { return virtualWiring }
    // A host's board file names its line whether anything is connected to it or not.
    let lines = power.kind == .gpio ? Set(power.lines.keys) : []
    return PowerWiring(
      mechanism: power.mechanism, lines: lines, settle: power.powerOnDelay,
      hasBackupSupply: power.hasBackupSupply, sleepCommand: power.sleepCommand,
      navigationBackup: power.navigationBackup, family: settings.receiver.family,
      powerSaving: settings.receiver.powerSaving, onExit: power.onExit)
  }

  /// The same with the properties of this receiver's port.
  func wiring(for receiver: (any ReceiverPort)?) -> PowerWiring {
    var wiring = wiring
    guard isLive else { return wiring }
    // Queries to a relayed receiver would disturb the relaying program's own dialogue with it.
    wiring.mayAsk = receiver.map { !$0.isRelayed } ?? false
    if let receiver { wiring.answersWithin = receiver.answersWithin }
    return wiring
  }

  /// The receiver of the virtual board obeys the sleep commands of the families whose protocol it
  /// uses, if the settings configure a virtual switch for it.
  private var virtualWiring: PowerWiring {
    let power = settings.powerSwitch
    guard power.kind == .virtual else {
      return PowerWiring(mechanism: .lines, lines: [.supply], settle: 0, sleepCommand: .none)
    }
    return PowerWiring(
      mechanism: .lines, lines: [.supply], settle: 0, hasBackupSupply: power.hasBackupSupply,
      sleepCommand: power.sleepCommand, navigationBackup: .none,
      family: settings.receiver.family ?? .other)
  }

  /// The virtual board's receiver.
  var virtualReceiver: VirtualReceiverSettings {
    let power = settings.powerSwitch
    guard power.kind == .virtual else { return VirtualReceiverSettings(model: settings.gnss) }
    let speaksUBX = settings.receiver.family?.speaksUBX == true
    return VirtualReceiverSettings(
      model: settings.gnss, language: speaksUBX ? .ubx : .nmea, hasBackup: power.hasBackupSupply)
  }

  func runtime(
    devices: Devices, receiverModel: ReceiverEnergyModel? = nil,
    decoderOptions: DecoderOptions? = nil,
    policy: PolicySettings? = nil, identifiers known: StoreIdentifiers? = nil, at now: BootInstant
  ) throws(StoreError) -> TrackerRuntime {
    var identifiers = known ?? StoreIdentifiers()
    if known == nil, let store = devices.store { identifiers = try store.lastIdentifiers() }
    let destinations = try devices.store?.destinations() ?? []
    var tracker = trackerSettings(
      coarseSources: devices.coarse.map(\.name), evidenceSources: devices.evidence.map(\.name))
    if let policy { tracker.policy = policy }
    if let receiverModel { tracker.receiver = receiverModel }
    return TrackerRuntime(
      tracker: Tracker(
        settings: tracker, identifiers: identifiers, destinations: destinations),
      decoder: ReceiverDecoder(options: decoderOptions ?? self.decoderOptions),
      meter: EnergyMeter(model: tracker.receiver, at: now), commits: settings.store.commits,
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

extension PowerSwitchSettings {
  fileprivate var mechanism: PowerWiring.Mechanism {
    switch kind {
    case .none: .none
    case .gpio, .virtual: .lines
    case .gnss: .deviceOpens
    case .command: .command
    }
  }
}
