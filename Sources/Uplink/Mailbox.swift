import Delivery
import Platform
import Ports
import Quantities
import Records

/// What comes in through a broker and is meant for the board: requests, and OwnTracks' commands.
final class Mailbox {
  private struct Pending {
    let topic: String
    let correlation: [UInt8]
  }

  private let desk: RequestDesk
  private let commands: OwnTracksDesk
  private let topics: UplinkTopics
  private let onLog: (LogEvent) -> Void
  /// Whom an answer goes to that comes later, by its request's id.
  private var pending: [String: Pending] = [:]
  private static let mostAtOnce = 60.0
  private var allowance = mostAtOnce
  private var lastAsked: BootInstant?
  private static let mostTold = 50
  private var told = 0

  init(
    _ desk: RequestDesk, _ commands: OwnTracksDesk, _ topics: UplinkTopics,
    onLog: @escaping (LogEvent) -> Void
  ) {
    self.desk = desk
    self.commands = commands
    self.topics = topics
    self.onLog = onLog
  }

  var wake: BootInstant? { desk.wake }
  /// Until when an answer may take; nil: none is worked at.
  var deadline: BootInstant? { desk.deadline }

  /// - Returns: nil: there is nothing to say, or not yet.
  func hear(_ message: BrokerEvent.Message) -> BrokerMessage? {
    let now = BootClock.systemDate
    // One that is retained would be asked again at every visit, by nobody.
    guard !message.isRetained, isInTime(BootClock.now) else { return nil }
    if message.topic == topics.command { return commands.hear(message.payload, at: now) }
    guard message.topic == topics.request else { return nil }
    let target = Pending(topic: answerTopic(message), correlation: message.correlation)
    guard let answer = desk.ask(message.payload, at: now) else {
      if let id = (try? RemoteRequest(parsing: message.payload))?.id { pending[id] = target }
      onLog(LogEvent("asked", "a fix was asked for"))
      return nil
    }
    tell(answer)
    return addressed(answer, to: target)
  }

  /// Each question costs the daemon an answer: many at once, and then one a second.
  private func isInTime(_ now: BootInstant) -> Bool {
    allowance = min(Self.mostAtOnce, allowance + (lastAsked.map { (now - $0).value } ?? 0))
    lastAsked = now
    guard allowance >= 1 else { return false }
    allowance -= 1
    return true
  }

  /// The first of a visit; whoever floods the board does not fill its journal.
  private func tell(_ answer: RemoteAnswer) {
    told += 1
    if told <= Self.mostTold { onLog(LogEvent("asked", answer.summary)) }
    if told == Self.mostTold {
      onLog(LogEvent("asked", "more is asked, and not told here any more", level: .warning))
    }
  }

  func poll() -> [BrokerMessage] {
    desk.poll().map { answer in
      let target = answer.id.flatMap { pending.removeValue(forKey: $0) }
      tell(answer)
      return addressed(answer, to: target ?? Pending(topic: topics.answer, correlation: []))
    }
  }

  private func addressed(_ answer: RemoteAnswer, to target: Pending) -> BrokerMessage {
    BrokerMessage(
      topic: target.topic, payload: answer.bytes, expiry: .hours(24),
      correlation: target.correlation, contentType: "application/json")
  }

  /// Where who has asked wants the answer. Never where others take it for something else, or it
  /// would be asked again: the broker lets the board publish what who has asked may not.
  private func answerTopic(_ message: BrokerEvent.Message) -> String {
    guard let topic = message.responseTopic, BrokerTopic.isOne(topic),
      topic.hasPrefix(topics.answer) || !Self.taken.contains(where: { topic.hasPrefix($0) })
    else { return topics.answer }
    return topic
  }

  private static let taken = ["$", "godwit/", "owntracks/", "homeassistant/"]
}
