import Records
import Core

/// The dialogue with a receiver: its identification, the setup at each start, sleep and wake-up,
/// and its navigation data. Everything that depends on the receiver's command set.
struct ReceiverDialogue: Sendable {
  private let wiring: PowerWiring
  private var identification: ReceiverIdentification
  private var setup: ReceiverSetup
  private var navigation: NavigationData
  private var sleepMethods: SleepMethods

  init(_ wiring: PowerWiring) {
    self.wiring = wiring
    identification = ReceiverIdentification(wiring)
    setup = ReceiverSetup(wiring)
    navigation = NavigationData(wiring)
    sleepMethods = SleepMethods(wiring)
  }

  // MARK: Known state

  var identity: ReceiverIdentity { identification.identity }

  /// Whether it can be put to sleep, as far as is known.
  var canSleep: Bool { sleepMethods.first(commands.abilities) != nil }

  /// Whether its silence may be sleep, perhaps since before the daemon started. If its supply is
  /// never cut, an earlier run or another program may have put it to sleep.
  var mayBeAsleep: Bool {
    wiring.mechanism == .command || canSleep || (!wiring.canCut && wiring.mayQuery)
  }

  /// The capabilities that the tracker needs.
  var capabilities: PowerCapabilities {
    PowerCapabilities(
      canSleep: canSleep, canCut: wiring.canCut,
      hasBackup: navigation.outlivesCut(commands.abilities))
  }

  /// When the next query, or the timeout of an answer, is due; nil: no query is in progress.
  var due: BootInstant? { .earlier(identification.due, restartCommand?.due) }

  /// The last restart command that was sent.
  var restartCommand: RestartCommand? { navigation.restartCommand }

  /// Why a restart is not possible; nil: it is.
  func objection(to restart: RestartKind) -> String? {
    guard commands.restart(restart) == nil else { return nil }
    guard wiring.family ?? identity.family != nil else {
      return "the receiver is not identified; set receiver.family (see godwit gnss probe)"
    }
    return commands.family == .simcom
      ? "the receiver of a SIMCom modem is commanded through the modem, not on its own line"
      : "no restart command is known for this receiver"
  }

  private var commands: ReceiverCommands { identification.commands }

  // MARK: Commands

  /// It sent its first frames after a start, so that it now accepts commands.
  mutating func begin(_ step: inout SequencerStep) {
    step.send(setup.begin(commands))
    navigation.restore(commands, &step)
    step.send(identification.begin(at: step.now))
  }

  /// Sends the queries that are due.
  mutating func proceed(isOn: Bool = true, _ step: inout SequencerStep) {
    step.send(identification.proceed(at: step.now, isOn: isOn))
    navigation.updateRestart(&step) { [now = step.now] in $0.timePassed(at: now) }
  }

  /// It can no longer be queried.
  mutating func interrupt(_ step: inout SequencerStep) {
    identification.stop()
    navigation.updateRestart(&step) { $0.interrupt() }
  }

  /// The commands that were just sent did not leave the board.
  mutating func unsent(_ why: String, _ step: inout SequencerStep) {
    navigation.updateRestart(&step) { [now = step.now] in $0.unsent(why, at: now) }
  }

  /// Its output contains no signal reports.
  mutating func enableSignals(_ step: inout SequencerStep) {
    step.send(setup.enableSignals(commands))
  }

  /// - Parameter canBeCommanded: if false, the command is sent as soon as the receiver accepts it.
  mutating func restart(
    _ kind: RestartKind, canBeCommanded: Bool, _ step: inout SequencerStep
  ) {
    navigation.restart(kind, canBeCommanded: canBeCommanded, commands, &step)
  }

  mutating func assist(_ assistance: AssistanceData) { navigation.assist(assistance) }

  // MARK: Answers

  /// - Parameters:
  ///   - isOn: whether further queries are possible.
  ///   - canBeCommanded: whether commands that depend on its identity are sent now; otherwise they
  ///     are sent at its next start anyway.
  mutating func receive(
    _ answer: ReceiverAnswer, isOn: Bool, canBeCommanded: Bool, _ step: inout SequencerStep
  ) {
    if let reply = RestartReply(answer) {
      navigation.updateRestart(&step) { [now = step.now] in $0.receive(reply, at: now) }
    }
    let before = capabilities
    if let identity = identification.learn(answer) {
      step.add(.identified(identity))
      if canBeCommanded { step.send(setup.identified(commands)) }
    }
    if capabilities != before { step.add(.capabilitiesChanged) }
    proceed(isOn: isOn, &step)
  }

  // MARK: Sleep

  /// Puts it to sleep by the first remaining method; nil: there is none.
  func fallAsleep(
    until end: BootInstant?, pace: Seconds, _ step: inout SequencerStep
  ) -> SleepAttempt? {
    sleepMethods.begin(until: end, pace: pace, commands, &step)
  }

  /// It did not accept the command: the next attempt uses another method.
  mutating func refused(_ method: SleepMethod, _ how: String, _ step: inout SequencerStep) {
    sleepMethods.refuse(method)
    step.log("sleep-refused", "the receiver does not accept \(method.rawValue): \(how)")
  }

  /// Why it cannot be put to sleep; nil while this is still unknown.
  var sleepFailure: String? { sleepMethods.failure(isCertain: identification.isCertain) }

  /// Sends it to sleep without verification.
  func sendFinalSleepCommand(_ step: inout SequencerStep) {
    step.send(sleepMethods.finalSleepCommand(commands))
  }

  /// Wakes it from such a sleep; returns whether it can be woken by bytes.
  func wake(_ method: SleepMethod, _ step: inout SequencerStep) -> Bool {
    guard let bytes = commands.wake(method) else { return false }
    step.send([bytes])
    return true
  }

  /// Wakes it from any sleep.
  func wakeAnyhow(_ step: inout SequencerStep) { step.send(SleepMethods.wakingBytes(commands)) }

  // MARK: Navigation data

  /// Starts to save the navigation data, if possible; nil: there is nothing to wait for.
  mutating func save(_ step: inout SequencerStep) -> NavigationData.Saving? {
    navigation.save(commands, &step)
  }

  /// One message of the navigation data.
  mutating func take(
    _ message: NavigationDataMessage, _ saving: inout NavigationData.Saving, at now: BootInstant
  ) {
    navigation.take(message, &saving, at: now)
  }

  /// It reported whether it saved.
  mutating func saved(_ outcome: NavigationDataBackup, _ step: inout SequencerStep) {
    navigation.saved(outcome, &step)
  }

  /// The time for saving is over.
  mutating func timedOut(_ saving: NavigationData.Saving, _ step: inout SequencerStep) {
    navigation.timedOut(saving, &step)
  }

  /// It is needed again after it saved.
  mutating func resume(_ step: inout SequencerStep) { navigation.resume(commands, &step) }

  /// It reported whether it restored.
  mutating func restored(_ outcome: NavigationDataBackup, _ step: inout SequencerStep) {
    navigation.restored(outcome, commands, &step)
  }

  mutating func supplyCut() { navigation.supplyCut() }
}
