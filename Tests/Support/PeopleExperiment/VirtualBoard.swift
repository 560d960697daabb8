import Messaging
import Core
import Records
import TestSupport

/// A person's board in virtual time: the messages, the disk, the clock, its track, and its
/// connection to the broker.
public final class VirtualBoard {
  /// The state of the board's clock.
  public enum Clock: Sendable {
    case right
    /// There is no clock that runs without power, and no network: the board boots in 1970.
    case none
  }

  /// When the power fails.
  public enum Failure: Sendable {
    /// Before anything of the step is durable.
    case before
    /// When all of it is durable, and nothing has been sent yet.
    case after
  }

  private static let pauseOfLocations = 20.0
  private static let pauseOfAttempts = 15.0

  public let me: PersonAddress
  public private(set) var messaging: MessagingState
  public private(set) var disk = VirtualDisk()
  public private(set) var refusals: [MessagingRefusal] = []
  /// What could not be read from the disk; empty unless there is an error.
  public private(set) var remarks: [String] = []
  public var clock = Clock.right
  public var isOn = true
  /// Whether it may connect to the broker.
  public var isOnline = true
  /// Whether the board is located.
  public var isLocating = true
  /// The accuracy of its location.
  public var accuracy: Metres = 5
  /// The failure in the next step.
  public var failure: Failure?

  private let broker: VirtualBroker?
  private var path: VirtualPath
  private(set) var link: Int?
  private var now: Double
  private var booted: Double
  private var nextLocation: Double
  private var nextConnection: Double
  private var nextSending: Double
  private var position: Coordinate?
  private var heard: [String] = []
  /// The last publication under each topic, and its ticket: nothing earlier is acknowledged.
  private var latest: [String: (ticket: Int, payload: [UInt8])] = [:]
  private var sent = 0
  /// Whether there may be something to send.
  private var hasMail = true

  init(of me: PersonAddress, _ broker: VirtualBroker?, at east: Metres, from now: Double) {
    self.me = me
    self.broker = broker
    path = VirtualPath(at: east)
    messaging = MessagingState(of: me, hasBroker: broker != nil)
    self.now = now
    booted = now
    nextLocation = now
    nextConnection = now
    nextSending = now
  }

  // MARK: What the owner does and sees

  /// Repeated if the power fails before it is durable.
  /// - Returns: what was refused.
  @discardableResult
  public func does(_ event: MessagingEvent) -> [MessagingRefusal] {
    while true { if let turn = step(event) { return turn.refusals } }
  }

  public func goes(to east: Metres, taking seconds: Double = 0) {
    path.go(to: east, taking: seconds, from: now)
    if seconds == 0 { nextLocation = now }
  }

  public var news: [MessagingNotification] { disk.news }
  public var east: Metres { path.east(at: now) }

  /// The date by the board's own clock.
  public var date: UTCInstant? {
    switch clock {
    case .right: PeopleWorld.start + Seconds(now)
    case .none: UTCInstant(seconds: now - booted)
    }
  }

  /// Whether a messaging state restored from the disk equals the present one.
  public var isAsStored: Bool {
    let again = MessagingState(of: me, hasBroker: broker != nil, restoring: disk.items)
    return again.contacts == messaging.contacts && again.letterRecords == messaging.letterRecords
      && again.letterboxes == messaging.letterboxes && again.outgoing == messaging.outgoing
      && again.meetingRecords == messaging.meetingRecords
      && again.groupStates == messaging.groupStates
      && again.pending == messaging.pending && again.remarks.isEmpty
  }

  // MARK: Power

  /// The power fails, and returns after a second.
  public func isKilled() {
    hangUp()
    messaging = MessagingState(of: me, hasBroker: broker != nil, restoring: disk.items)
    remarks += messaging.remarks
    booted = now
    hasMail = true
    position = nil
    nextLocation = now + 1
    nextConnection = now + 1
  }

  private func hangUp() {
    if let link { broker?.close(link) }
    link = nil
    heard = []
  }

  // MARK: Time

  /// When the next step is due; nil: never.
  var due: Double? {
    guard isOn else { return nil }
    var due: [Double] = []
    if isLocating { due.append(nextLocation) }
    if broker != nil, isOnline, link == nil { due.append(nextConnection) }
    if link != nil, hasMail { due.append(nextSending) }
    if let wake = messaging.wake { due.append(booted + wake.seconds) }
    return due.min().map { max($0, now) }
  }

  func pass(to now: Double) {
    self.now = now
    guard isOn else { return hangUp() }
    if let link, !isOnline || broker?.isOpen(link) != true { hangUp() }
    if let wake = messaging.wake, booted + wake.seconds <= now { step(.timePassed) }
    if isLocating, nextLocation <= now { locate() }
    connect()
    send()
  }

  private func locate() {
    nextLocation = now + Self.pauseOfLocations
    let position = VirtualPath.position(east)
    self.position = position
    step(
      .located(
        Location(time: date ?? UTCInstant(seconds: 0), position: position, accuracy: accuracy)))
  }

  private func connect() {
    guard let broker, isOnline, link == nil, nextConnection <= now else { return }
    nextConnection = now + Self.pauseOfAttempts
    link = broker.open()
    nextSending = now
    step(.timePassed)
    subscribe()
  }

  private func subscribe() {
    guard let broker, let link else { return }
    let wanted = messaging.subscriptions(around: position)
    guard wanted != heard else { return }
    heard = wanted
    broker.subscribe(link, to: wanted, at: now)
  }

  /// Repeated until it is acknowledged.
  private func send() {
    guard let broker, let link, hasMail, nextSending <= now else { return }
    let pending = messaging.pending
    for publication in pending {
      sent += 1
      let (topic, payload) = (publication.topic, publication.payload)
      let ticket = latest[topic].flatMap { $0.payload == payload ? $0.ticket : nil } ?? sent
      latest[topic] = (ticket, payload)
      broker.publish(link, publication, ticket: ticket, at: now)
    }
    hasMail = !pending.isEmpty
    nextSending = now + Self.pauseOfAttempts
  }

  // MARK: Steps

  func takes(_ arrival: VirtualBroker.Arrival) {
    guard arrival.link == link else { return }
    switch arrival.kind {
    case .message: step(.arrived(topic: arrival.topic, payload: arrival.payload))
    case .acknowledgement:
      guard latest[arrival.topic]?.ticket == arrival.ticket else { return }
      step(.acknowledged(topic: arrival.topic, payload: arrival.payload))
    }
  }

  /// - Returns: nil where the power failed before it was durable.
  @discardableResult
  private func step(_ event: MessagingEvent) -> MessagingResult? {
    let turn = messaging.step(event, at: .boot(now - booted), date: date)
    let failure = self.failure
    self.failure = nil
    if failure == .before {
      isKilled()
      return nil
    }
    disk.apply(turn, of: messaging, at: date)
    refusals += turn.refusals
    if failure == .after {
      isKilled()
      return turn
    }
    if turn.hasPending {
      hasMail = true
      nextSending = now
    }
    subscribe()
    return turn
  }
}
