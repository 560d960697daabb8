import Core

/// The data for a fast start: the receiver's navigation database, the time and its approximate
/// position. Without a backup supply, a power cut erases all of it, so that it is saved before and
/// restored after.
struct NavigationData: Sendable {
  /// A whole database is about 10 kB in messages of about 100 bytes.
  static let maxMessages = 512
  /// Saving to flash takes about a second (UBX-UPD-SOS), a dump about as long at 9600 baud per
  /// 1000 bytes.
  private static let flashTimeout = Seconds(5)
  private static let dumpTimeout = Seconds(10)
  /// A board's crystal has at most 50 ppm.
  private static let maxDrift = 50e-6

  /// Where the receiver's navigation database is saved.
  enum Store: Hashable, Sendable { case flash, host }

  /// A save in progress.
  struct Saving: Hashable, Sendable {
    let store: Store
    private let deadline: BootInstant
    /// When the supply is cut at the latest.
    private(set) var due: BootInstant

    fileprivate init(_ store: Store, deadline: BootInstant) {
      self.store = store
      self.deadline = deadline
      due = deadline
    }

    /// The last message is not marked: one second without a message ends the dump.
    fileprivate mutating func extend(at now: BootInstant) { due = min(deadline, now + 1) }
  }

  private let backup: NavigationBackup
  private let canCut: Bool
  private let hasBackupSupply: Bool
  private var assistance: AssistanceData?
  /// The receiver lost all supply, and with it time and position, unless it can restore them.
  private var isLost: Bool
  /// The database as the receiver sent it.
  private var database: [NavigationDataMessage] = []
  /// An earlier run may have left a copy in flash.
  private var mayBeInFlash = true
  /// Stores that this receiver does not have, or has refused.
  private var unavailable: Set<Store> = []
  /// A restart that cannot be sent yet.
  private var pendingRestart: RestartKind?
  /// The last restart that was sent.
  private(set) var restartCommand: RestartCommand?
  private let isRelayed: Bool

  init(_ wiring: PowerWiring) {
    backup = wiring.navigationBackup
    canCut = wiring.canCut
    hasBackupSupply = wiring.hasBackupSupply
    isRelayed = !wiring.mayQuery
    isLost = !wiring.hasBackupSupply
  }

  /// Where the database would be saved now; nil: it cannot be saved.
  func store(_ abilities: ReceiverAbilities) -> Store? {
    let canSave = abilities.savesNavigationData && !unavailable.contains(.flash)
    let canDump = abilities.dumpsNavigationData && !unavailable.contains(.host)
    switch backup {
    case .flash: return canSave ? .flash : nil
    case .host: return canDump ? .host : nil
    case .auto where !hasBackupSupply: return canSave ? .flash : canDump ? .host : nil
    case .auto, .none: return nil
    }
  }

  /// Whether a fast start is possible after a cut.
  func outlivesCut(_ abilities: ReceiverAbilities) -> Bool {
    hasBackupSupply || store(abilities) != nil
  }

  mutating func assist(_ assistance: AssistanceData) { self.assistance = assistance }

  /// The supply was cut.
  mutating func supplyCut() {
    if canCut, !hasBackupSupply { isLost = true }
  }

  // MARK: Before a cut

  /// Starts to save, if possible; nil: there is nothing to wait for.
  mutating func save(_ commands: ReceiverCommands, _ step: inout SequencerStep) -> Saving? {
    switch store(commands.abilities) {
    case .flash:
      step.send(commands.saveNavigationData)
      return Saving(.flash, deadline: step.now + Self.flashTimeout)
    case .host:
      guard let poll = commands.pollNavigationData else { return nil }
      database = []
      step.send([poll])
      return Saving(.host, deadline: step.now + Self.dumpTimeout)
    case nil: return nil
    }
  }

  /// One message of the database.
  mutating func take(_ message: NavigationDataMessage, _ saving: inout Saving, at now: BootInstant)
  {
    guard saving.store == .host, database.count < Self.maxMessages else { return }
    database.append(message)
    saving.extend(at: now)
  }

  /// The receiver reported whether it saved.
  mutating func saved(_ outcome: NavigationDataBackup, _ step: inout SequencerStep) {
    mayBeInFlash = outcome == .saved
    guard outcome != .saved else { return }
    unavailable.insert(.flash)
    step.log("navigation-data-not-saved", "the receiver has no flash, or could not write to it")
    step.add(.capabilitiesChanged)
  }

  /// The time for saving is over. This is the only end of a dump; flash is acknowledged.
  mutating func timedOut(_ saving: Saving, _ step: inout SequencerStep) {
    switch saving.store {
    case .flash:
      unavailable.insert(.flash)
      step.log(
        "navigation-data-not-saved", "the receiver did not save its navigation data in time")
      step.add(.capabilitiesChanged)
    case .host where database.isEmpty:
      unavailable.insert(.host)
      step.log("navigation-data-not-kept", "the receiver does not send its navigation data")
      step.add(.capabilitiesChanged)
    case .host: return
    }
  }

  /// The cut is cancelled: the receiver still has its data, and resumes.
  mutating func resume(_ commands: ReceiverCommands, _ step: inout SequencerStep) {
    database = []
    if let order = commands.startGnss { step.send([order]) }
  }

  // MARK: After a start

  /// The receiver accepts commands: sends a pending restart, or restores what the receiver has
  /// lost.
  mutating func restore(_ commands: ReceiverCommands, _ step: inout SequencerStep) {
    if let kind = pendingRestart, commands.restart(kind) != nil {
      pendingRestart = nil
      // Data that the restart erases need not be restored first.
      return restart(kind, canBeCommanded: true, commands, &step)
    }
    if isLost {
      isLost = false
      step.send(assist(commands, at: step.now))
      step.send(database.compactMap { commands.restore($0) })
      database = []
    }
    if mayBeInFlash, store(commands.abilities) == .flash,
      let poll = commands.pollSavedNavigationData
    {
      step.send([poll])
    }
  }

  private func assist(_ commands: ReceiverCommands, at now: BootInstant) -> [[UInt8]] {
    guard let assistance else { return [] }
    let age = now - assistance.taken
    return commands.assist(
      time: assistance.time + age, accuracy: assistance.timeAccuracy + age * Self.maxDrift,
      position: assistance.position, altitude: assistance.altitude,
      accuracy: assistance.positionAccuracy)
  }

  /// Restarts the receiver and erases its data, now or as soon as it accepts commands.
  mutating func restart(
    _ kind: RestartKind, canBeCommanded: Bool, _ commands: ReceiverCommands,
    _ step: inout SequencerStep
  ) {
    guard canBeCommanded, let order = commands.restart(kind) else {
      pendingRestart = kind
      return
    }
    if kind == .cold {
      database = []
      // Otherwise the receiver would restore the data that it should erase.
      if mayBeInFlash, store(commands.abilities) == .flash { clearFlash(commands, &step) }
    }
    restartCommand = RestartCommand(
      kind, isAnswered: commands.acknowledgesRestart && !isRelayed, at: step.now)
    step.send([order])
  }

  /// Applies new evidence about the last restart command.
  mutating func updateRestart(
    _ step: inout SequencerStep, _ news: (inout RestartCommand) -> Void
  ) {
    guard var order = restartCommand else { return }
    news(&order)
    let wasFailure = restartCommand?.failure
    restartCommand = order
    guard let why = order.failure, wasFailure == nil else { return }
    step.add(.restartFailed(reason: why))
  }

  /// The receiver reported what it restored at its start. Old data must not be restored again (M9N
  /// integration manual, "Save on shutdown").
  mutating func restored(
    _ outcome: NavigationDataBackup, _ commands: ReceiverCommands, _ step: inout SequencerStep
  ) {
    switch outcome {
    case .restored, .restoringFailed, .unknown: clearFlash(commands, &step)
    case .nothingToRestore: mayBeInFlash = false
    // Too late: the receiver is already on again.
    case .saved, .notSaved: mayBeInFlash = outcome == .saved
    }
  }

  private mutating func clearFlash(_ commands: ReceiverCommands, _ step: inout SequencerStep) {
    mayBeInFlash = false
    if let order = commands.clearSavedNavigationData { step.send([order]) }
  }
}
