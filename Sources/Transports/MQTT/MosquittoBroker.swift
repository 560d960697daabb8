import CShims
import Delivery
import Glibc
import Platform
import Ports
import Core

/// A connection to a broker by libmosquitto, on the caller's loop.
///
/// MQTT 5 is tried first, for its reason codes: a broker of 3.1.1 acknowledges messages that it
/// discards. A broker without MQTT 5 is remembered as such.
///
/// Messages beyond the broker's receive maximum wait in memory; `hasRoom` limits them.
public final class MosquittoBroker: BrokerPort {
  /// Timeout of an attempt, from the name resolution to the broker's answer.
  static let connectTimeout: Seconds = 60
  /// Timeout for messages in flight when disconnecting.
  private static let disconnectTimeout: Seconds = 5
  /// Limit of uncollected events: beyond it nothing is read from the connection.
  private static let mostEvents = 256

  private enum Phase { case attempting, greeting, connected, leaving }

  private var connection: OpaquePointer?
  private var phase = Phase.attempting
  private var broker: BrokerAddress?
  private var login: BrokerLogin?
  private var version = BrokerEvent.Version.five
  /// Brokers without MQTT 5.
  private var older: Set<BrokerAddress> = []
  /// During the greeting, since `connect`.
  private var wasClosedInGreeting = false
  private var deadline: BootInstant?
  /// From the broker's answer on.
  private var keepAlive: KeepAlive?
  private var events: [BrokerEvent] = []
  private var inFlight = InFlightMessages()
  /// Requested topics, by libmosquitto's id of the subscription.
  private var subscriptions: [Int32: [String]] = [:]
  /// Whether DISCONNECT was sent.
  private var hasSentDisconnect = false
  /// Traffic of earlier connections.
  private var past = Traffic.zero
  private var openings = 0
  /// Reported by libmosquitto, and not handled before its call has returned: only then may the
  /// connection be released.
  private var callbacks: [BrokerCallback] = []

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

  public var awaitsReply: Bool {
    guard connection != nil else { return false }
    let asks = !subscriptions.isEmpty || !inFlight.isEmpty || keepAlive?.awaitsPong == true
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
    handle(godwit_mqtt_work(connection))
    sendDisconnect()
    note()
    expire()
  }

  /// Handles the reports of libmosquitto during a call, and the result of the call itself.
  private func handle(_ error: Int32) {
    let opening = openings
    let news = callbacks
    callbacks = []
    // Handling an event may release the connection, and start another.
    for one in news where connection != nil && openings == opening { handle(one) }
    if error != 0, connection != nil, openings == opening { end(error) }
  }

  /// For a hanging resolver, a server that sends nothing, or one that does not close the
  /// connection.
  private func expire() {
    guard let deadline, let broker, BootClock.now >= deadline else { return }
    // DISCONNECT was sent, and the broker only does not close.
    if phase == .leaving, hasSentDisconnect { return left() }
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

  // MARK: Requests

  public func connect(to broker: BrokerAddress, as login: BrokerLogin) {
    self.broker = broker
    self.login = login
    wasClosedInGreeting = false
    // Those of the earlier connection are obsolete.
    events = []
    begin(older.contains(broker) ? .threeOneOne : .five, until: BootClock.now + Self.connectTimeout)
  }

  private func begin(_ version: BrokerEvent.Version, until end: BootInstant) {
    drop()
    guard let broker, let login else { return }
    let options = ConnectOptions(broker, login, version)
    if let problem = options.problem {
      return fail(BrokerFailure(.loginUnusable, at: broker, detail: problem))
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
          broker.callbacks.append(BrokerCallback(event.pointee))
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
    handle(error)
  }

  public var hasRoom: Bool { inFlight.hasRoom }

  public func publish(_ message: BrokerMessage, number: Int64) -> PublishReason? {
    guard message.problem == nil else { return .unsendable }
    guard let connection, phase == .connected else { return nil }
    var id: Int32 = 0
    let error = message.asC { godwit_mqtt_publish(connection, $0, &id) }
    if let refusal = PublishReason(error) { return refusal }
    if error == 0 { inFlight.add(number, as: id, bytes: message.size) }
    handle(error)
    return nil
  }

  public func disconnect() {
    guard connection != nil, phase == .connected else { return drop() }
    phase = .leaving
    hasSentDisconnect = false
    deadline = BootClock.now + Self.disconnectTimeout
    sendDisconnect()
  }

  /// Not before messages in flight are acknowledged: they would be sent again at the next
  /// connection. Our own acknowledgements are written before DISCONNECT.
  private func sendDisconnect() {
    guard let connection, phase == .leaving, !hasSentDisconnect, inFlight.isEmpty else { return }
    hasSentDisconnect = true
    handle(godwit_mqtt_disconnect(connection))
  }

  // MARK: Callbacks of libmosquitto

  private func handle(_ news: BrokerCallback) {
    guard let broker else { return }
    switch news {
    case .answered(let answer): handleConnack(answer)
    case .subscribed(let id, let reasons):
      guard let topics = subscriptions.removeValue(forKey: id) else { return }
      // A topic without a reason code counts as refused.
      let accepted = zip(topics, reasons).filter { $0.1 < 0x80 }.map(\.0)
      let refused = topics.filter { !accepted.contains($0) }
      events.append(.subscribed(accepted: accepted, refused: refused))
    case .acknowledged(let id, let reason):
      guard let number = inFlight.remove(id) else { return }
      events.append(.acknowledged(number: number, reason))
    case .received(let message): events.append(.received(message))
    case .closed(let code):
      guard phase == .connected, code >= 0x80 else { return }
      fail(BrokerFailure(ConnectAnswer.causeOfEnd(code), at: broker))
    }
  }

  /// The broker seems not to support MQTT 5: the rest of the time is for 3.1.1.
  private func beginOlder() { begin(.threeOneOne, until: deadline ?? BootClock.now) }

  private func handleConnack(_ answer: BrokerCallback.Answer) {
    guard let broker, let login, phase == .greeting else { return }
    guard answer.code == 0 else {
      if ConnectAnswer.isOfVersion(answer.code), version == .five { return beginOlder() }
      return fail(BrokerFailure(ConnectAnswer.cause(answer.code), at: broker))
    }
    phase = .connected
    deadline = nil
    keepAlive = KeepAlive(
      every: answer.keepAlive ?? ConnectOptions.keepAlive(of: login), from: BootClock.now)
    if version == .threeOneOne { older.insert(broker) }
    // MQTT 5, 3.2.2.3.3; 3.1.1 defines no limit, and 20 is what brokers usually get.
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
    // A broker without MQTT 5 may also close the connection. So may a failing network, and with
    // 3.1.1 acknowledgements have no reasons: once is not conclusive.
    case .greeting where version == .five && kind == GODWIT_MQTT_LOST && !wasClosedInGreeting:
      wasClosedInGreeting = true
      begin(.five, until: deadline ?? BootClock.now)
    case .greeting where version == .five: beginOlder()
    case .leaving where hasSentDisconnect: left()
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
    events.append(.disconnected)
  }

  private func drop() {
    past = traffic
    if let connection { godwit_mqtt_release(connection) }
    connection = nil
    deadline = nil
    keepAlive = nil
    inFlight = InFlightMessages()
    subscriptions = [:]
    callbacks = []
  }
}
