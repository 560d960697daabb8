import Core

/// Which remote requests are allowed. The broker's access rules decide who may send them.
public struct RequestSettings: Hashable, SettingGroup {
  public enum Scope: String, Sendable, CaseIterable {
    case none
    /// It only reports what it has.
    case read
    /// It also makes fixes and switches GNSS.
    case commands = "orders"
  }

  public private(set) var scope = Scope.none
  public private(set) var pause: Seconds = 3600
  /// In addition to the board's own topic for answers.
  public private(set) var answerTopics: [String] = []

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "requests", &scope, .choice,
      "Remote requests to allow, from any client that the broker lets publish to the board's topic "
        + "for requests. \"none\"; \"read\": queries; \"orders\": also fixes, GNSS on and off.")
    setting(
      "answer_topics", &answerTopics,
      .texts(atMost: 16, bytes: 1...256) { topic in
        BrokerTopic.isOne(topic) && !topic.hasPrefix("$") && !topic.hasSuffix("/")
          ? nil
          : "is not a topic such as \"home/answers\", without \"+\", \"#\" and a leading \"$\""
      },
      "Topics that a client may name as MQTT 5 response topic: these and all below them, beside "
        + "the board's own topic for answers, to which all other answers go.")
    setting(
      "requests_pause_s", &pause, .quantity(60...604_800),
      "Maximum time between two checks for requests while there is nothing to send.")
  }
}
