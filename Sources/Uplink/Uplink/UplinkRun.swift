import Delivery
import Core
import Messaging
import Places
import Platform
import Ports
import Records
import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// A run of the uplink: new records go into the outbox, waiting messages to their recipients, and
/// the process ends, or stays connected if requests are to be answered at once.
public final class UplinkRun {
  /// The ports of a run.
  public struct Parts {
    var store: any ChangesPort
    var outbox: any OutboxPort
    /// Nil: no broker is configured.
    public var broker: (port: any BrokerPort, login: BrokerLogin)?
    public var web: [(plan: WebPlan, uploader: any UploadPort)]
    /// Nil: no notifications of new records.
    public var activationSocket: (any WakePort)?
    /// Nil: the board's status is not available.
    public var daemon: (any DaemonPort)?
    /// Nil: requests for recorded data are disabled.
    public var history: (any HistoryPort)?
    /// Encrypts OwnTracks messages; nil: they are sent in the clear.
    public var encryptor: (any EncryptorPort)?
    /// The owner's address among people who exchange letters; nil: not configured.
    public var person: PersonAddress?
    /// The visitor that the board represents, which decides the places it sees.
    public var visitor = Visitor(Visitor.keeper)
    /// Resolves local times.
    public var zone = TimeZoneRules.utc

    public init(
      store: any ChangesPort, outbox: any OutboxPort,
      broker: (port: any BrokerPort, login: BrokerLogin)? = nil,
      web: [(plan: WebPlan, uploader: any UploadPort)] = []
    ) {
      self.store = store
      self.outbox = outbox
      self.broker = broker
      self.web = web
    }
  }

  public struct Ending: Equatable, Sendable {
    /// The transports that stopped, and why.
    public var failures: [UplinkTransport: String] = [:]
    /// The recipients that got nothing more although their transport works, and why.
    public var blocks: [Recipient: String] = [:]
    /// The number of messages that were refused and set aside.
    public var refused = 0
    /// Why the run is to be restarted; nil: it is not.
    public var restart: Restart?

    init(
      failures: [UplinkTransport: String] = [:], blocks: [Recipient: String] = [:], refused: Int = 0
    ) {
      self.failures = failures
      self.blocks = blocks
      self.refused = refused
    }
  }

  /// Why a run ends to be restarted at once.
  public enum Restart: Sendable {
    /// The settings may have changed.
    case settings
    /// The outbox was deleted, moved or replaced: pauses and queued messages go into another one
    /// now.
    case outbox
  }

  public struct Options: Sendable {
    /// Whether to skip what failed a short time ago.
    var respectsBackOff: Bool
    /// Whether to stay connected when everything is sent.
    var stays: Bool
    /// Without a notification, the run sends only if the oldest item has waited this long; nil: it
    /// always sends.
    var delay: Seconds?

    public init(respectsBackOff: Bool = false, stays: Bool = false, delay: Seconds? = nil) {
      self.respectsBackOff = respectsBackOff
      self.stays = stays
      self.delay = delay
    }
  }

  /// The maximum interval of checks on a connection that stays.
  private static let longestPause: Seconds = 900
  private let parts: Parts
  private let options: Options
  private let settings: UplinkSettings
  private let journal: RunJournal
  private let senders: [any Sender]
  private let outboxUpdater: Gathering
  private let people: MessageRelay?
  private let loop: PortLoop
  private var nextCheck: BootInstant?
  private var isEnding = false
  private var restart: Restart?
  private let onLog: (LogEvent) -> Void

  public init(
    _ parts: Parts, _ settings: UplinkSettings, _ board: UplinkBoard, _ options: Options,
    onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    self.parts = parts
    self.settings = settings
    self.options = options
    self.onLog = onLog
    journal = try RunJournal(
      parts.outbox, dailyBytes: settings.dailyBytes, chance: .random(in: 0...1),
      stays: options.stays, onLog: onLog)
    let gathering = Gathering(parts, settings, board, onLog: onLog)
    self.outboxUpdater = gathering
    let mailbox = Self.mailbox(parts, settings, board, gathering, onLog)
    let people = Self.people(parts, settings, gathering, onLog)
    self.people = people
    senders = Self.senders(
      parts, settings, board, options, journal, gathering, mailbox, people)
    do throws(PortError) {
      loop = try PortLoop(
        senders.flatMap(\.ports) + (parts.activationSocket.map { [$0] } ?? []), onLog: onLog)
    } catch {
      throw PortError("the uplink cannot wait: \(error.message)")
    }
  }

  private static func senders(
    _ parts: Parts, _ settings: UplinkSettings, _ board: UplinkBoard, _ options: Options,
    _ journal: RunJournal, _ gathering: Gathering, _ mailbox: RequestInbox?,
    _ people: MessageRelay?
  ) -> [any Sender] {
    var senders: [any Sender] = []
    if let (port, login) = parts.broker {
      let recipients = settings.recipients.filter { $0.transport == .broker }
      let plan = BrokerPlan(
        brokers: settings.mqtt.brokers, recipients: recipients,
        requestTopics: requestTopics(recipients, board.topics, isAsked: mailbox != nil),
        receiptTopic: recipients.contains(.collector) ? board.topics.received : nil,
        stays: options.stays, followed: recipients.contains(.owntracks) ? [.owntracks] : [])
      let sender = BrokerSender(
        plan, over: port, as: login, from: parts.outbox, journal, gathering, mailbox, people)
      sender.location = RetainedLocation(
        parts, settings, board.topics, privacy: { gathering.privacy })
      senders.append(sender)
    }
    if !parts.web.isEmpty {
      let lines = parts.web.map { WebSender.Line(plan: $0.plan, uploader: $0.uploader) }
      senders.append(WebSender(lines, from: parts.outbox, journal, mailbox))
    }
    return senders
  }

  /// Nil: requests are disabled.
  private static func mailbox(
    _ parts: Parts, _ settings: UplinkSettings, _ board: UplinkBoard, _ gathering: Gathering,
    _ onLog: @escaping (LogEvent) -> Void
  ) -> RequestInbox? {
    guard settings.requests != .none, let history = parts.history else { return nil }
    let handler = RemoteRequestHandler(
      history, parts.daemon, parts.outbox, settings.requests,
      privacy: { gathering.privacy })
    let commands = OwnTracksCommandHandler(
      history, parts.daemon, board.topics, tracker: settings.tracker, encryptor: parts.encryptor,
      privacy: { gathering.privacy }, onLog: onLog)
    return RequestInbox(
      handler, commands, board.topics, answeringOn: settings.answerTopics, onLog: onLog)
  }

  /// Nil: no messages are exchanged with other people's boards.
  private static func people(
    _ parts: Parts, _ settings: UplinkSettings, _ gathering: Gathering,
    _ onLog: @escaping (LogEvent) -> Void
  ) -> MessageRelay? {
    guard settings.sendsPeerMessages, let me = parts.person, let history = parts.history,
      let daemon = parts.daemon
    else { return nil }
    return MessageRelay(
      of: me, history, daemon, privacy: { gathering.privacy }, onLog: onLog)
  }

  private static func requestTopics(
    _ recipients: [Recipient], _ topics: UplinkTopics, isAsked: Bool
  ) -> [String] {
    (recipients.contains(.homeAssistant) ? [HomeAssistantDispatch.statusTopic] : [])
      + (isAsked ? [topics.request, topics.command] : [])
  }

  /// - Returns: the result of the last connections.
  public func run() throws(PortError) -> Ending {
    let isCalled = drainNotifications()
    // Received before the run began, possibly after the settings were read.
    if restart != nil { return ending }
    if let delay = options.delay, try !isPollDue {
      try outboxUpdater.update(isComplete: isCalled)
      // A notification may concern something without a recipient.
      let isOld = try oldestWaiting.map { isCalled || hasWaited(delay, since: $0) } ?? false
      guard isOld || people?.hasPending == true else { return Ending() }
      if !isCalled { try outboxUpdater.update(isComplete: true) }
    } else {
      try outboxUpdater.update(isComplete: true)
    }
    try connect()
    loop.onStep = { [unowned self] in step() }
    do throws(PortError) {
      try loop.run(signals: [SIGTERM, SIGINT]) { [unowned self] in
        end(for: nil)
      }
    } catch {
      throw PortError("the uplink cannot wait: \(error.message)")
    }
    if let failure = loop.failure { throw failure }
    return ending
  }

  private var ending: Ending {
    var ending = Ending(
      failures: journal.failures, blocks: journal.blocks,
      refused: journal.refusals.values.reduce(0) { $0 + $1.count })
    ending.restart = restart
    return ending
  }

  /// - Returns: whether a notification was received. A run that stays ends for new settings; new
  ///   records are then found with those.
  private func drainNotifications() -> Bool {
    let news = parts.activationSocket?.drain() ?? []
    if options.stays, !isEnding, news.contains(.settings) {
      end(for: .settings)
    }
    return !news.isEmpty
  }

  /// - Parameter restart: nil: the process ends.
  private func end(for restart: Restart?) {
    isEnding = true
    self.restart = restart
    nextCheck = nil
  }

  /// Ends the run when the outbox has gone, because pauses would no longer take effect.
  private func watchOutbox() {
    guard !isEnding, !parts.outbox.isInPlace else { return }
    onLog(
      LogEvent(
        "outbox-gone",
        "the outbox \(parts.outbox.name) was deleted, moved or replaced while it was in use: it "
          + "is opened again, or created if missing; pauses of the previous one are void",
        level: .warning))
    end(for: .outbox)
  }

  private var oldestWaiting: UTCInstant? {
    get throws(PortError) {
      // A transport that is paused is no reason to connect.
      try parts.outbox.summaries().filter { journal.pause(of: $0.recipient.ownTransport) <= 0 }
        .compactMap(\.oldest).min()
    }
  }

  private func hasWaited(_ time: Seconds, since start: UTCInstant) -> Bool {
    let now = BootClock.systemDate
    // A time in the future: the date was set back.
    return start <= now - time || start > now
  }

  /// Whether it is time to check for requests, although nothing is to be sent.
  private var isPollDue: Bool {
    get throws(PortError) {
      guard settings.requests != .none || people != nil, parts.broker != nil else { return false }
      let last = try parts.outbox.exchanges(atMost: 100).last {
        $0.transport == .brokers && $0.kind == .sent
      }
      let now = BootClock.systemDate
      return last.map { $0.time <= now - settings.requestInterval || $0.time > now } ?? true
    }
  }

  /// Adds new records to the outbox, and starts sending.
  private func checkForWork() throws(PortError) {
    try outboxUpdater.update(isComplete: true)
    try connect()
  }

  private func connect() throws(PortError) {
    try close()
    try journal.renewBudget()
    for sender in senders {
      try sender.connect(respectsBackOff: options.respectsBackOff || options.stays)
    }
    nextCheck = options.stays ? BootClock.now + nextPause : nil
  }

  /// Records what was exchanged, and reports the status to the daemon.
  private func close() throws(PortError) {
    for sender in senders { journal.exchanged(sender.traffic) }
    guard try journal.write(), let daemon = parts.daemon else { return }
    let report = try journal.report()
    // The report is optional for a daemon that is not running, or is older.
    _ = try? daemon.query(ControlRequest.uplink(report).json)
  }

  /// Until the first back-off ends.
  private var nextPause: Seconds {
    let pauses = senders.flatMap(\.transports).map { journal.pause(of: $0) }.filter { $0 > 0 }
    return min(pauses.min() ?? Self.longestPause, Self.longestPause)
  }

  // MARK: The loop

  /// Handles what has arrived, and updates what to wait for.
  /// - Returns: whether there was anything to handle.
  private func step() -> Bool {
    let isCalled = drainNotifications()
    watchOutbox()
    let before = senders.map(\.traffic)
    do throws(PortError) {
      let isDue = nextCheck.map { $0 <= BootClock.now } ?? false
      if !isEnding, isCalled || isDue {
        try checkForWork()
      }
      try serve()
    } catch {
      loop.end(error)
      return true
    }
    loop.wait(until: ([nextCheck] + senders.map(\.wake)).compactMap { $0 }.min())
    return isCalled || senders.map(\.traffic) != before
  }

  private func serve() throws(PortError) {
    for sender in senders where isEnding && !sender.isIdle { try sender.end() }
    for sender in senders { try sender.step() }
    if journal.drainChange() { try close() }
    // A transport that has just failed is tried again when its pause is over.
    if let next = nextCheck { nextCheck = min(next, BootClock.now + nextPause) }
    guard senders.allSatisfy(\.isIdle), isEnding || !options.stays else { return }
    try close()
    loop.end()
  }
}
