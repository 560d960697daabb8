import Delivery
import Formats
import Core
import Platform
import Ports
import Records

/// Handles incoming messages for the board: requests, and OwnTracks' commands.
final class RequestInbox {
  private let handler: RemoteRequestHandler
  private let commands: OwnTracksCommandHandler
  private let topics: UplinkTopics
  /// Topics allowed for answers besides the board's own topic.
  private let answerTopics: [String]
  private let onLog: (LogEvent) -> Void
  /// The rate limit of requests, because each one queries the daemon.
  private var allowance = TokenBucket(atOnce: 60, perSecond: 1)
  /// The rate limit of refusals, each of which is a message. All of them fit among the answers that
  /// wait for the broker (`AnswerQueue`).
  private var refusals = TokenBucket(atOnce: 200, perSecond: 1)
  private var troubles = Troubles()
  /// The rate limit for a web server whose answers contain commands endlessly.
  private var serverAllowance = TokenBucket(atOnce: 4, perSecond: 1 / 60)
  private static let maxItems = 50
  private var loggedCount = 0

  init(
    _ handler: RemoteRequestHandler, _ commands: OwnTracksCommandHandler, _ topics: UplinkTopics,
    answeringOn answerTopics: [String], onLog: @escaping (LogEvent) -> Void
  ) {
    self.handler = handler
    self.commands = commands
    self.topics = topics
    self.answerTopics = [topics.answer] + answerTopics
    self.onLog = onLog
  }

  var wake: BootInstant? { handler.wake }
  /// When the last pending answer is due; nil: none is pending.
  var deadline: BootInstant? { handler.deadline }

  /// - Returns: nil: there is no answer, or not yet.
  func handle(_ message: BrokerEvent.Message) -> BrokerMessage? {
    let now = BootClock.systemDate
    // A retained request would be repeated at every connection.
    guard !message.isRetained else { return nil }
    guard allowance.take(at: BootClock.now) else { return refuse(message) }
    if message.topic == topics.command {
      return (try? OwnTracksMessage(parsing: message.payload)).flatMap(commands.command).flatMap {
        commands.answer(to: $0, at: now, over: .broker)
      }
    }
    guard message.topic == topics.request else { return nil }
    let asker = ReplyAddress(topic: answerTopic(message), correlation: message.correlation)
    guard let answer = handler.handle(message.payload, for: asker, at: now) else {
      onLog(LogEvent("asked", "a fix was requested"))
      return nil
    }
    log(LogEvent("asked", answer.summary))
    return addressed(answer, to: asker)
  }

  /// Refuses a request beyond the rate limit.
  private func refuse(_ message: BrokerEvent.Message) -> BrokerMessage? {
    guard message.topic == topics.request, refusals.take(at: BootClock.now) else {
      troubles.add(
        "there are so many requests that some get no answer: check who may publish "
          + "to \(topics.request) and \(topics.command)")
      return nil
    }
    troubles.add(
      "there are more requests than are answered (60, then one a second): the others are refused, "
        + "and can be sent again")
    let asker = ReplyAddress(topic: answerTopic(message), correlation: message.correlation)
    let answer = RemoteRequestHandler.refusal(
      of: message.payload, because: "too many requests: retry in a minute")
    log(LogEvent("asked", answer.summary))
    return addressed(answer, to: asker)
  }

  /// - Returns: what the owner should know, each once.
  func drainTroubles() -> [String] { troubles.drain() }

  private struct Troubles {
    private var reported: Set<String> = []
    private var new: [String] = []

    mutating func add(_ text: String) {
      if reported.insert(text).inserted { new.append(text) }
    }

    mutating func drain() -> [String] {
      defer { new = [] }
      return new
    }
  }

  /// - Parameter answer: the response of a web server that accepts OwnTracks' messages.
  /// - Returns: messages to send to that server.
  func handle(answer: [UInt8]) -> [[UInt8]] {
    // Responses also contain the locations of friends, which need no answer.
    OwnTracksMessage.answered(answer).compactMap(commands.command).compactMap { command in
      guard serverAllowance.take(at: BootClock.now) else { return nil }
      return commands.answer(to: command, at: BootClock.systemDate, over: .web)?.payload
    }
  }

  /// Logs the first events of a connection only, so that a flood does not fill the journal.
  private func log(_ event: LogEvent) {
    loggedCount += 1
    if loggedCount <= Self.maxItems { onLog(event) }
    if loggedCount == Self.maxItems {
      onLog(
        LogEvent("asked", "there are more requests, which are no longer logged", level: .warning))
    }
  }

  func poll() -> [BrokerMessage] {
    handler.poll(at: BootClock.systemDate).map { answer, asker in
      log(LogEvent("asked", answer.summary))
      return addressed(answer, to: asker)
    }
  }

  private func addressed(_ answer: RemoteAnswer, to asker: ReplyAddress) -> BrokerMessage {
    BrokerMessage(
      topic: asker.topic, payload: answer.bytes, expiry: .hours(24),
      correlation: asker.correlation, contentType: "application/json")
  }

  /// The topic that the requester wants for the answer, if the settings allow it. The board may
  /// have write access where the requester has none, and an answer there would look like a message
  /// from the board itself.
  private func answerTopic(_ message: BrokerEvent.Message) -> String {
    guard let topic = message.responseTopic else { return topics.answer }
    guard isForAnswers(topic) else {
      let wanted = TerminalText.line(String(topic.prefix(200)))
      log(
        LogEvent(
          "answer-topic",
          "\(wanted) is requested for an answer, but is neither below \(topics.answer) nor in "
            + "uplink.answer_topics: the answer goes to \(topics.answer)",
          level: .warning))
      return topics.answer
    }
    return topic
  }

  private func isForAnswers(_ topic: String) -> Bool {
    guard BrokerTopic.isOne(topic), topic != topics.request, topic != topics.command else {
      return false
    }
    return answerTopics.contains { allowed in
      topic == allowed || topic.utf8.starts(with: "\(allowed)/".utf8)
    }
  }
}
