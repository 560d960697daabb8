import CShims
import Delivery
import Glibc
import Platform
import Ports
import Core

/// A connection to a broker by libmosquitto, on the caller's loop.
///
/// MQTT 5 is tried first, for its reasons: a broker of 3.1.1 acknowledges what it throws away. One
/// that does not speak it is known as such from then on.
///
/// Whoever publishes more than the broker's receive maximum has it wait in memory; `hasRoom` says
/// for how long that is wise.
public final class MosquittoBroker: BrokerPort {
  /// For an attempt, from the name's look-up to the broker's answer.
  static let patience: Seconds = 60
  /// For what is still under way to a broker that we leave.
  private static let patienceAtTheEnd: Seconds = 5
  /// Events that wait to be taken: more are not read from the connection.
  private static let mostEvents = 256

  private enum Phase { case attempting, greeting, connected, leaving }

  private var connection: OpaquePointer?
  private var phase = Phase.attempting
  private var broker: BrokerAddress?
  private var visit: BrokerLogin?
  private var version = BrokerEvent.Version.five
  /// Brokers that do not speak MQTT 5.
  private var older: Set<BrokerAddress> = []
  /// In the middle of the greeting, since `connect`.
  private var hasBeenHungUpOn = false
  private var deadline: BootInstant?
  /// From the broker's answer on.
  private var keepAlive: KeepAlive?
  private var events: [BrokerEvent] = []
  private var underWay = InFlightMessages()
  /// Topics that the broker has been asked for, by libmosquitto's number of the question.
  private var subscriptions: [Int32: [String]] = [:]
  /// Whether the broker has been told that we leave.
  private var hasTakenLeave = false
  /// Of the connections before.
  private var past = Traffic.zero
  private var openings = 0
  /// Told by libmosquitto, and not taken before its call has returned: then the connection may be
  /// let go.
  private var heard: [BrokerCallback] = []

  public init() {}

  deinit { drop() }

  public var name: String { broker?.description ?? "the broker" }

  // MARK: The loop

  public var interest: Interest? {
    guard let connection else { return nil }
    if phase == .attempting {
      return Interest(godwit_mqtt_attempt_descriptor(connection), opening: openings)
    }
    return Interest(
      godwit_mqtt_socket(connection), opening: openings,
      reads: events.count < Self.mostEvents && godwit_mqtt_wants_read(connection),
      writes: godwit_mqtt_wants_write(connection))
  }

  public var due: BootInstant? {
    guard events.isEmpty else { return BootClock.now }
    return [deadline, keepAlive?.due].compactMap { $0 }.min()
  }

  public var awaitsAnswer: Bool {
    guard connection != nil else { return false }
    let asks = !subscriptions.isEmpty || !underWay.isEmpty || keepAlive?.isAsking == true
    return phase != .connected || asks
  }

  public func poll() -> BrokerEvent? {
    if events.isEmpty { work() }
    return events.isEmpty ? nil : events.removeFirst()
  }

  private func work() {
    guard let connection, let broker else { return }
    if phase == .attempting {
      switch godwit_mqtt_state(connection) {
      case GODWIT_MQTT_CONNECTING: return expire()
      case GODWIT_MQTT_FAILED: return fail(ConnectFailure(of: connection, to: broker).failure)
      default:
        phase = .greeting
        openings += 1
      }
    }
    take(godwit_mqtt_work(connection))
    takeLeave()
    note()
    expire()
  }

  /// What libmosquitto has told during a call, and what the call itself came to.
  private func take(_ error: Int32) {
    let opening = openings
    let news = heard
    heard = []
    // The connection may be let go, and another begun, by what was told.
    for one in news where connection != nil && openings == opening { take(one) }
    if error != 0, connection != nil, openings == opening { end(error) }
  }

  /// A hanging resolver, a server that says nothing, one that does not let us leave.
  private func expire() {
    guard let deadline, let broker, BootClock.now >= deadline else { return }
    // It has been told, and only does not hang up.
    if phase == .leaving, hasTakenLeave { return left() }
    fail(BrokerFailure(.timedOut, at: broker))
  }

  private func note() {
    guard let connection else { return }
    keepAlive?.note(
      sent: godwit_mqtt_sent(connection), received: godwit_mqtt_received(connection),
      at: BootClock.now)
  }

  public var traffic: Traffic {
    guard let connection else { return past }
    return past
      + Traffic(
        sent: Int(clamping: godwit_mqtt_sent(connection)),
        received: Int(clamping: godwit_mqtt_received(connection)))
  }

  // MARK: What is asked

  public func connect(to broker: BrokerAddress, as visit: BrokerLogin) {
    self.broker = broker
    self.visit = visit
    hasBeenHungUpOn = false
    // Of the connection before, which nobody waits for any more.
    events = []
    begin(older.contains(broker) ? .threeOneOne : .five, until: BootClock.now + Self.patience)
  }

  private func begin(_ version: BrokerEvent.Version, until end: BootInstant) {
    drop()
    guard let broker, let visit else { return }
    let options = ConnectOptions(broker, visit, version)
    if let problem = options.problem {
      return fail(BrokerFailure(.visitUnusable, at: broker, detail: problem))
    }
    self.version = version
    phase = .attempting
    deadline = end
    openings += 1
    let context = Unmanaged.passUnretained(self).toOpaque()
    connection = options.use { options in
      godwit_mqtt_start(
        options,
        { context, event in
          guard let context, let event else { return }
          let broker = Unmanaged<MosquittoBroker>.fromOpaque(context).takeUnretainedValue()
          broker.heard.append(BrokerCallback(event.pointee))
        }, context)
    }
    guard connection == nil else { return }
    let error = SystemError.last
    if let missing = godwit_mqtt_missing() {
      fail(BrokerFailure(.libraryMissing, at: broker, detail: String(cString: missing)))
    } else {
      fail(BrokerFailure(.impossible, at: broker, detail: error.text))
    }
  }

  public func subscribe(to topics: [String]) {
    guard let connection, phase == .connected, !topics.isEmpty else { return }
    guard topics.allSatisfy({ !$0.isEmpty && WireText.problem($0) == nil }) else {
      return events.append(.subscribed(accepted: [], refused: topics))
    }
    var id: Int32 = 0
    let error = CStrings(topics).with {
      godwit_mqtt_subscribe(connection, $0, Int32(topics.count), &id)
    }
    if error == 0 { subscriptions[id] = topics }
    take(error)
  }

  public var hasRoom: Bool { underWay.hasRoom }

  public func publish(_ message: BrokerMessage, number: Int64) -> PublishReason? {
    guard message.problem == nil else { return .unsendable }
    guard let connection, phase == .connected else { return nil }
    var id: Int32 = 0
    let error = message.asC { godwit_mqtt_publish(connection, $0, &id) }
    if let refusal = PublishReason(error) { return refusal }
    if error == 0 { underWay.add(number, as: id, bytes: message.size) }
    take(error)
    return nil
  }

  public func disconnect() {
    guard connection != nil, phase == .connected else { return drop() }
    phase = .leaving
    hasTakenLeave = false
    deadline = BootClock.now + Self.patienceAtTheEnd
    takeLeave()
  }

  /// Not before what is under way is acknowledged: it would go out again at the next visit. What we
  /// have to acknowledge ourselves is written before the last word.
  private func takeLeave() {
    guard let connection, phase == .leaving, !hasTakenLeave, underWay.isEmpty else { return }
    hasTakenLeave = true
    take(godwit_mqtt_disconnect(connection))
  }

  // MARK: What libmosquitto tells

  private func take(_ news: BrokerCallback) {
    guard let broker else { return }
    switch news {
    case .answered(let answer): hear(answer)
    case .subscribed(let id, let reasons):
      guard let topics = subscriptions.removeValue(forKey: id) else { return }
      // A topic that no reason is given for counts as refused.
      let accepted = zip(topics, reasons).filter { $0.1 < 0x80 }.map(\.0)
      let refused = topics.filter { !accepted.contains($0) }
      events.append(.subscribed(accepted: accepted, refused: refused))
    case .acknowledged(let id, let reason):
      guard let number = underWay.remove(id) else { return }
      events.append(.acknowledged(number: number, reason))
    case .received(let message): events.append(.received(message))
    case .closed(let code):
      guard phase == .connected, code >= 0x80 else { return }
      fail(BrokerFailure(ConnectAnswer.causeOfEnd(code), at: broker))
    }
  }

  /// MQTT 5 was not understood, it seems: what is left of the time is for 3.1.1.
  private func beginOlder() { begin(.threeOneOne, until: deadline ?? BootClock.now) }

  private func hear(_ answer: BrokerCallback.Answer) {
    guard let broker, let visit, phase == .greeting else { return }
    guard answer.code == 0 else {
      if ConnectAnswer.isOfVersion(answer.code), version == .five { return beginOlder() }
      return fail(BrokerFailure(ConnectAnswer.cause(answer.code), at: broker))
    }
    phase = .connected
    deadline = nil
    keepAlive = KeepAlive(
      every: answer.keepAlive ?? ConnectOptions.keepAlive(of: visit), from: BootClock.now)
    if version == .threeOneOne { older.insert(broker) }
    // MQTT 5, 3.2.2.3.3; of 3.1.1 nothing is said, and 20 is what brokers are used to.
    let usual = version == .five ? Int(UInt16.max) : 20
    events.append(
      .connected(
        BrokerEvent.Welcome(
          version: version, hasSession: answer.hasSession,
          receiveMaximum: answer.receiveMaximum ?? usual)))
  }

  private func end(_ error: Int32) {
    guard let connection, let broker else { return }
    let kind = godwit_mqtt_failure(error)
    if phase != .connected, kind == GODWIT_MQTT_NO_TLS {
      return fail(ConnectFailure(of: connection, to: broker, error).failure)
    }
    switch phase {
    // What does not know MQTT 5 may also hang up on it. So does a network that fails, and with
    // 3.1.1 acknowledgements have no reasons: once is not enough to tell.
    case .greeting where version == .five && kind == GODWIT_MQTT_LOST && !hasBeenHungUpOn:
      hasBeenHungUpOn = true
      begin(.five, until: deadline ?? BootClock.now)
    case .greeting where version == .five: beginOlder()
    case .leaving where hasTakenLeave: left()
    case .greeting: fail(BrokerFailure(.noBroker, at: broker))
    case .attempting, .connected, .leaving:
      let detail = kind == GODWIT_MQTT_LOST ? "" : String(cString: godwit_mqtt_error_text(error))
      fail(BrokerFailure(.closed, at: broker, detail: detail))
    }
  }

  private func fail(_ failure: BrokerFailure) {
    drop()
    events.append(.failed(failure))
  }

  private func left() {
    drop()
    events.append(.left)
  }

  private func drop() {
    past = traffic
    if let connection { godwit_mqtt_release(connection) }
    connection = nil
    deadline = nil
    keepAlive = nil
    underWay = InFlightMessages()
    subscriptions = [:]
    heard = []
  }
}
