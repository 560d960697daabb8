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
      "What may be asked from afar, by whoever the broker lets publish to the board's topic for "
        + "requests. \"none\"; \"read\": what it knows; \"orders\": fixes, GNSS on and off, too.")
    setting(
      "answer_topics", &answerTopics,
      .texts(atMost: 16, bytes: 1...256) { topic in
        BrokerTopic.isOne(topic) && !topic.hasPrefix("$") && !topic.hasSuffix("/")
          ? nil : "is no topic such as \"home/answers\", without \"+\", \"#\" and a \"$\" in front"
      },
      "Where whoever asks may want the answer, by MQTT 5's response topic: these topics and those "
        + "below them, beside the board's own for answers, where all others are answered.")
    setting(
      "requests_pause_s", &pause, .quantity(60...604_800),
      "How long at most it is until it looks whether somebody has asked, with nothing to say.")
  }
}
