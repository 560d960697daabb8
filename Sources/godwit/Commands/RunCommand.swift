import Hardware
import ArgumentParser
import Config
import Delivery
import GodwitSettings
import Core
import Platform
import Ports
import Records
import Runtime
import Store
import Uplink

#if canImport(Glibc)
  import Glibc
#endif

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the daemon: track until stopped.",
    discussion: """
      Runs as a systemd service (Type=notify, with watchdog), or in a terminal. SIGTERM and SIGINT \
      end it cleanly; SIGHUP reloads the settings.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Store file, overrides store.path.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Flag(help: "Do not switch the receiver's power: something else supplies it.")
  var noPower = false

  @Option(
    help: ArgumentHelp("Control socket, overrides control.socket.", valueName: "path"),
    completion: .file())
  var socket: String?

  func run() throws {
    let log = LogOutput(STDERR_FILENO)
    do {
      try track(log)
    } catch let error as CommandError {
      // The log may have no reader, and the daemon must end nevertheless.
      for line in error.message.split(separator: "\n") { log.fail(String(line)) }
      throw ExitCode(error.exitCode)
    }
  }

  private func track(_ log: LogOutput) throws {
    let configuration = try options.load()
    let settings = effective(configuration)
    let composition = Composition(settings: settings, world: .live)
    try composition.refuseVirtualParts()
    let path = store ?? settings.store.path
    var devices = Devices(
      receiver: ConfiguredDevices.receiver(
        settings.receiver, losesPower: settings.powerSwitch.isReal),
      monitor: ConfiguredDevices.monitor(settings))
    ConfiguredSources(settings, store: path).equip(&devices)
    devices.battery = ConfiguredDevices.battery(settings)
    devices.timeZones = SystemTimeZones()
    devices.visitor = settings.visitor
    devices.random = SystemRandomNumberGenerator()
    let parts = ReloadedParts(
      composition, coarseSources: devices.coarseSources, evidenceSources: devices.evidenceSources)
    let command = parts.equip(&devices)
    let store = Self.store(path, settings)
    devices.store = store
    devices.people = settings.people
    let uplink = settings.uplink.daemonPart
    devices.hasBroker = uplink.carriesMessages
    let call = uplink.isOn ? Self.uplinkCall(uplink, store, log) : nil
    if let call {
      devices.endpoints.append(call)
      devices.listeners.append(call)
      devices.onPending = { call.notifyPending() }
      call.settingsRead()
    }
    devices.powerSwitch = ConfiguredDevices.powerSwitch(settings.powerSwitch)
    let start = try startingRuntime(composition, devices)
    let runtime = start.runtime
    runtime.onLog = { logEvent, _ in log.write(logEvent) }
    runtime.systemDate = { SystemCalendar.date(notBefore: settings.receiver.dateFloor) }
    runtime.dateWarning = SystemCalendar.warning(notBefore: settings.receiver.dateFloor)
    runtime.recordProvenance(provenance(configuration).json.text, at: BootClock.now)
    let daemon = try makeDaemon(
      runtime, parts, command, call, configuration, store: path, log)
    runtime.deviceName = parts.deviceName
    log.write(startLine(runtime, composition, store: path))
    for advice in settings.advice { log.write(LogEvent("advice", advice, level: .warning)) }
    if let warning = runtime.dateWarning {
      log.write(LogEvent("clock-limited", warning, level: .warning))
    }
    attachStore(start)
    acquireLines(devices.powerSwitch, log)
    defer { close(devices.powerSwitch, log) }
    let code: Int32
    do {
      code = try daemon.run(restoring: start.state, boot: RunningSystem.bootID)
    } catch {
      throw CommandError.failed(error.message)
    }
    try finish(runtime, log)
    guard code == 0 else { throw ExitCode(code) }
  }

  private func startLine(
    _ runtime: TrackerRuntime, _ composition: Composition, store: String
  ) -> LogEvent {
    let settings = composition.settings
    return LogEvent(
      "started",
      "godwit \(Godwit.configuration.version) on \(runtime.deviceName ?? ""): receiver "
        + "\(runtime.receiver.name ?? "none"), switch \(settings.powerSwitch.kind.rawValue), "
        + "monitor \(settings.powerMonitor.kind.rawValue), policy \(runtime.tracker.policyName), "
        + "store \(store)")
  }

  /// How long the loop blocks for another program's lock on the store: long enough for writing a
  /// label. Records that cannot be written then wait in memory.
  private static let lockTimeout: Int32 = 250  // ms

  /// The unit has 64 MB for everything (`MemoryMax`).
  private static let databaseMemory: Int64 = 32 << 20

  private static func store(_ path: String, _ settings: Settings) -> StoreSource {
    StoreMemory.limit(toBytes: databaseMemory)
    return StoreSource(name: path) { (isReturn) throws(PortError) in
      let store = try GeoPackageStore(
        path: path, retention: settings.store.retention,
        lock: StoreLock(path: path, for: .daemon, unlessJustMade: isReturn),
        mark: .random(in: 0...(.max)), isReturn: isReturn,
        keepsChangeLog: settings.uplink.daemonPart.isOn)
      store.waitForLocks(atMost: lockTimeout)
      return store
    }
  }

  /// Notifies the uplink of stored records.
  private static func uplinkCall(
    _ uplink: UplinkSettings.DaemonPart, _ store: StoreSource, _ log: LogOutput
  ) -> UplinkCall {
    let call = UplinkCall(
      UplinkNotifier(uplink.socket), UplinkDelays(uplink), clock: { BootClock.now },
      onLog: { log.write($0) })
    store.onStored = { [unowned call] in call.stored($0) }
    return call
  }

  /// Stores the waiting records, closes the store, and reports losses.
  private func finish(_ runtime: TrackerRuntime, _ log: LogOutput) throws {
    runtime.commitAtLast(at: BootClock.now)
    let health = runtime.storeHealth
    var closing: PortError?
    do throws(PortError) {
      try runtime.closeStore()
    } catch {
      closing = error
    }
    let end = RunEnd(health, closing: closing)
    if let loss = end.earlierLoss { log.write(loss) }
    if let failure = end.failure { throw CommandError.failed(failure) }
  }

  /// A switch that is not available now is retried whenever a line has to be set.
  private func acquireLines(_ powerSwitch: (any PowerSwitchPort)?, _ log: LogOutput) {
    do {
      try powerSwitch?.acquire()
    } catch {
      log.write(LogEvent("switch-failed", error.message, level: .warning))
    }
  }

  private func close(_ powerSwitch: (any PowerSwitchPort)?, _ log: LogOutput) {
    do {
      try powerSwitch?.close()
    } catch {
      log.write(LogEvent("switch-failed", error.message, level: .warning))
    }
  }

  private func effective(_ configuration: Configuration<Settings>) -> Settings {
    var settings = configuration.settings
    if noPower { settings.powerSwitch.kind = .none }
    let uplink = settings.uplink.daemonPart
    if uplink.isOn { settings.store.commits.uplink = UplinkDelays(uplink) }
    return settings
  }

  private struct Start {
    let runtime: TrackerRuntime
    /// The state that the last run saved.
    var state: String?
    var opening: StoreOpening?
    var storeFailure: PortError?
  }

  private func attachStore(_ start: Start) {
    let now = BootClock.now
    do {
      if let opening = start.opening { try start.runtime.checkStore(opening, at: now) }
    } catch {
      start.runtime.storeFailed(error, at: now)
    }
    if let failure = start.storeFailure { start.runtime.storeFailed(failure, at: now) }
  }

  /// A store that cannot be opened does not stop tracking: records wait in memory, and `status`
  /// reports it.
  private func startingRuntime(_ composition: Composition, _ devices: Devices) throws -> Start {
    let now = BootClock.now
    do {
      let state = try devices.store?.trackerState()
      let runtime = try composition.runtime(devices: devices, at: now)
      return Start(
        runtime: runtime, state: state, opening: try devices.store?.ensureOpen())
    } catch {
      // The store cannot be read, so ids start at random where neither stored ones nor those of
      // another such run are: not at the date, which may be wrong, and below 2^53, the limit of
      // JSON.
      let first = Int64.random(in: 1 << 40..<1 << 52)
      var blind = devices
      blind.store = nil
      let identifiers = StoreIdentifiers(visit: first, destination: first, session: first)
      let runtime = try composition.runtime(
        devices: blind, identifiers: identifiers, at: now)
      runtime.attach(devices.store)
      return Start(runtime: runtime, storeFailure: error)
    }
  }

  private func makeDaemon(
    _ runtime: TrackerRuntime, _ parts: ReloadedParts, _ command: CommandSocket,
    _ uplink: UplinkCall?, _ running: Configuration<Settings>, store: String, _ log: LogOutput
  ) throws -> Daemon {
    var control = running.settings.control
    if let socket { control.socket = socket }
    var parts = parts
    let again = { reload(runtime, &parts, command, uplink, from: running) }
    do throws(PortError) {
      do throws(PortError) {
        try refuse(control.socket, store: store)
        return try Daemon(runtime, control: control, log: log, reload: again)
      } catch  where !error.isBusy {
        // Tracking matters more than the control socket.
        log.write(LogEvent("control-failed", error.message, level: .warning))
        return try Daemon(runtime, control: nil, log: log, reload: again)
      }
    } catch {
      // The other daemon uses this configuration's receiver and switch as well. Two would compete
      // for them, and clients would reach only one.
      throw CommandError.failed(error.message)
    }
  }

  /// A store that is created later would find the socket at its path, whatever the name.
  private func refuse(_ socket: String, store: String) throws(PortError) {
    guard StoreFiles(store).contains(socket) else { return }
    throw PortError("\(socket): control.socket is the path of the store; set another path")
  }

  private func provenance(_ inForce: Configuration<Settings>) -> Provenance {
    var provenance = Provenance(kind: .real, configuration: inForce)
    provenance.powerSwitch = effective(inForce).powerSwitch.kind
    return provenance
  }

  /// - Parameters:
  ///   - parts: the settings that the reloadable parts have.
  ///   - running: the configuration that the daemon was started with.
  private func reload(
    _ runtime: TrackerRuntime, _ parts: inout ReloadedParts, _ command: CommandSocket,
    _ uplink: UplinkCall?, from running: Configuration<Settings>
  ) -> LogEvent {
    do {
      let new = try options.load()
      let waiting = SettingsReload(new.settings, since: running.settings).waiting
      let inForce = new.keeping(Set(waiting), of: running)
      if let conflict = inForce.conflicts.first {
        throw CommandError.wrongUsage(
          "\(conflict), as long as these wait for a restart: "
            + "\(waiting.joined(separator: ", ")); restart the daemon")
      }
      let now = BootClock.now
      runtime.recordProvenance(provenance(inForce).json.text, at: now)
      let others = ReloadedParts(
        Composition(settings: effective(inForce), world: .live),
        coarseSources: runtime.coarseSources, evidenceSources: runtime.evidenceSources)
      others.apply(to: runtime, command, insteadOf: parts, at: now)
      parts = others
      uplink?.settingsRead()
      runtime.waitingSettings = waiting
      runtime.settingsFailure = nil
      let rest =
        waiting.isEmpty
        ? "all of them are in effect"
        : "these wait for a restart: \(waiting.joined(separator: ", "))"
      return LogEvent("reloaded", "settings reloaded; \(rest)")
    } catch let error as CommandError {
      runtime.settingsFailure = error.message
      return LogEvent(
        "reload-failed", "the settings are invalid, the old ones are kept: \(error.message)",
        level: .warning)
    } catch {
      return LogEvent(
        "reload-failed", "the settings cannot be read, the old ones are kept: \(error)",
        level: .warning)
    }
  }
}
