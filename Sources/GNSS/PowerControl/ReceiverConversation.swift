import Records
import Core

/// What is said to a receiver, and learnt from what it answers: which one it is, what it is told at
/// each start, how it is put to sleep and woken, and its navigation data. Everything that depends
/// on how it is commanded.
struct ReceiverConversation: Sendable {
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

  // MARK: What is known

  var identity: ReceiverIdentity { identification.identity }

  /// Whether it can be put to sleep, as far as is known.
  var canSleep: Bool { sleepMethods.first(commands.abilities) != nil }

  /// Whether its silence may be sleep, perhaps since before the daemon started: where nothing cuts
  /// its supply, an earlier run or another program may have put any receiver to sleep.
  var mayBeAsleep: Bool {
    wiring.mechanism == .command || canSleep || (!wiring.canCut && wiring.mayAsk)
  }

  /// What the tracker needs to know.
  var capabilities: PowerCapabilities {
    PowerCapabilities(
      canSleep: canSleep, canCut: wiring.canCut,
      hasBackup: navigation.outlivesCut(commands.abilities))
  }

  /// When the next question is due, or no answer any longer; nil: nothing is being asked.
  var due: BootInstant? { .earlier(identification.due, restartCommand?.due) }

  /// The last command to start again that it was sent.
  var restartCommand: RestartCommand? { navigation.restartCommand }

  /// Why it cannot be told to start again; nil: it can.
  func objection(to restart: RestartKind) -> String? {
    guard commands.restart(restart) == nil else { return nil }
    guard wiring.family ?? identity.family != nil else {
      return "it is not known what receiver it is; set receiver.family (godwit gnss probe asks it)"
    }
    return commands.family == .simcom
      ? "the receiver of a SIMCom modem is commanded through the modem, not on its own line"
      : "it is not known how this receiver is told to start again"
  }

  private var commands: ReceiverCommands { identification.commands }

  // MARK: What is said

  /// It has sent its first frames after a start: now it can take commands.
  mutating func begin(_ step: inout SequencerStep) {
    step.send(setup.begin(commands))
    navigation.restore(commands, &step)
    step.send(identification.begin(at: step.now))
  }

  /// Asks what is due.
  mutating func proceed(isOn: Bool = true, _ step: inout SequencerStep) {
    step.send(identification.proceed(at: step.now, isOn: isOn))
    navigation.judgeRestart(&step) { [now = step.now] in $0.timePassed(at: now) }
  }

  /// It can no longer be asked.
  mutating func interrupt(_ step: inout SequencerStep) {
    identification.stop()
    navigation.judgeRestart(&step) { $0.interrupt() }
  }

  /// What it was just told has not left the board.
  mutating func unsent(_ why: String, _ step: inout SequencerStep) {
    navigation.judgeRestart(&step) { [now = step.now] in $0.unsent(why, at: now) }
  }

  /// Its output says nothing of signals.
  mutating func missSignals(_ step: inout SequencerStep) { step.send(setup.missSignals(commands)) }

  /// - Parameter canBeCommanded: otherwise it is sent as soon as it can take commands.
  mutating func restart(
    _ kind: RestartKind, canBeCommanded: Bool, _ step: inout SequencerStep
  ) {
    navigation.restart(kind, canBeCommanded: canBeCommanded, commands, &step)
  }

  mutating func assist(_ assistance: AssistanceData) { navigation.assist(assistance) }

  // MARK: What it answers

  /// - Parameters:
  ///   - isOn: whether it can be asked further.
  ///   - canBeCommanded: whether it is told now what depends on its identity; otherwise its next
  ///     start comes with that anyway.
  mutating func hear(
    _ answer: ReceiverAnswer, isOn: Bool, canBeCommanded: Bool, _ step: inout SequencerStep
  ) {
    if let reply = RestartReply(answer) {
      navigation.judgeRestart(&step) { [now = step.now] in $0.hear(reply, at: now) }
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

  /// Puts it to sleep by the first method that is left; nil: by none.
  func fallAsleep(
    until end: BootInstant?, pace: Seconds, _ step: inout SequencerStep
  ) -> SleepAttempt? {
    sleepMethods.begin(until: end, pace: pace, commands, &step)
  }

  /// It did not obey: the next attempt is by another method.
  mutating func refused(_ method: SleepMethod, _ how: String, _ step: inout SequencerStep) {
    sleepMethods.refuse(method)
    step.log("sleep-refused", "the receiver does not obey \(method.rawValue): \(how)")
  }

  /// Of one that cannot be put to sleep: why; nil while it may yet turn out that it can.
  var sleepFailure: String? { sleepMethods.failure(isCertain: identification.isCertain) }

  /// Sends it to sleep when nothing will check whether it obeys.
  func sendLastOrder(_ step: inout SequencerStep) { step.send(sleepMethods.lastOrder(commands)) }

  /// Wakes it from such a sleep; answers whether bytes can.
  func wake(_ method: SleepMethod, _ step: inout SequencerStep) -> Bool {
    guard let bytes = commands.wake(method) else { return false }
    step.send([bytes])
    return true
  }

  /// Wakes it whatever sleep it may be in.
  func wakeAnyhow(_ step: inout SequencerStep) { step.send(SleepMethods.wakingBytes(commands)) }

  // MARK: Navigation data

  /// Starts to save it, where that is possible; nil: there is nothing to wait for.
  mutating func save(_ step: inout SequencerStep) -> NavigationData.Saving? {
    navigation.save(commands, &step)
  }

  /// One message of it.
  mutating func take(
    _ message: NavigationDataMessage, _ saving: inout NavigationData.Saving, at now: BootInstant
  ) {
    navigation.take(message, &saving, at: now)
  }

  /// It has answered whether it saved.
  mutating func saved(_ outcome: NavigationDataBackup, _ step: inout SequencerStep) {
    navigation.saved(outcome, &step)
  }

  /// The time for saving is over.
  mutating func timedOut(_ saving: NavigationData.Saving, _ step: inout SequencerStep) {
    navigation.timedOut(saving, &step)
  }

  /// It is wanted again after it saved.
  mutating func resume(_ step: inout SequencerStep) { navigation.resume(commands, &step) }

  /// It has answered whether it restored.
  mutating func restored(_ outcome: NavigationDataBackup, _ step: inout SequencerStep) {
    navigation.restored(outcome, commands, &step)
  }

  mutating func supplyCut() { navigation.supplyCut() }
}
