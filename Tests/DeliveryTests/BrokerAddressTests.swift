import Testing

@testable import Delivery

@Suite struct BrokerAddressTests {
  private static let good: [(text: String, isSecure: Bool, host: String, port: UInt16)] = [
    ("mqtt://broker.example.org", false, "broker.example.org", 1883),
    ("mqtts://Broker.Example.org/", true, "broker.example.org", 8883),
    ("MQTTS://10.0.0.1:443", true, "10.0.0.1", 443),
    ("mqtt://[fe80::1]:1884", false, "fe80::1", 1884),
    ("mqtt://[::1]", false, "::1", 1883), ("mqtt://nas", false, "nas", 1883),
  ]

  @Test("an address is read, and written with its port", arguments: good)
  func reads(text: String, isSecure: Bool, host: String, port: UInt16) throws {
    let address = try BrokerAddress(parsing: text)
    #expect(address.isSecure == isSecure && address.host == host && address.port == port)
    #expect(try BrokerAddress(parsing: address.description) == address)
  }

  private static let bad: [(text: String, error: BrokerAddressError)] = [
    ("", .scheme), ("broker", .scheme), ("http://broker", .scheme), ("mqtt:broker", .scheme),
    ("mqtt://ann:secret@broker", .userInfo), ("mqtt://", .host), ("mqtt://a..b", .host),
    ("mqtt://[fe80::1", .host), ("mqtt://[broker]", .host), ("mqtt://[::1]x", .host),
    ("mqtt://broker/path", .host), ("mqtt://broker:", .port), ("mqtt://broker:0", .port),
    ("mqtt://broker:65536", .port), ("mqtt://broker:+1", .port), ("mqtt://bro ker", .characters),
    ("mqtt://" + String(repeating: "a", count: 300), .characters), ("mqtt://bröker", .characters),
  ]

  @Test("an invalid address is refused with a reason", arguments: bad)
  func refuses(text: String, error: BrokerAddressError) {
    #expect(throws: error) { try BrokerAddress(parsing: text) }
    #expect(!error.message.contains("secret"))
  }

  private static let levels = [
    ("bike", "bike"), ("Ann's bike", "Ann-s-bike"), ("a.b/c+d#e", "a-b-c-d-e"), ("$SYS", "-SYS"),
    ("", "-"), ("a\u{0}b", "a-b"), ("Müller", "Müller"),
  ]

  @Test("a name becomes one level of a topic", arguments: levels)
  func level(name: String, level: String) {
    #expect(BrokerTopic.level(name) == level)
    #expect(BrokerTopic.isOne("a/" + level))
  }

  @Test("only the reasons that MQTT 5 calls a success are one") func reasons() {
    let successes = (0...UInt8.max).map(PublishReason.init).filter(\.isSuccess)
    #expect(successes == [.success, .noSubscribers])
    #expect((1...UInt8.max).allSatisfy { !PublishReason(code: $0).text.isEmpty })
  }

  @Test("a failure states its cause, place and remedy on one line") func failures() throws {
    let broker = try BrokerAddress(parsing: "mqtts://broker")
    let causes: [BrokerFailure.Cause] = [
      .libraryMissing, .nameNotResolved, .refused, .unreachable, .timedOut, .noBroker,
      .wrongPassword, .notAllowed, .unavailable, .closed, .takenOver, .certificateExpired,
      .certificateNotYetValid, .certificateForeign, .certificateWrongHost, .filesUnusable,
      .handshakeFailed, .impossible,
    ]
    let messages = causes.map { BrokerFailure($0, at: broker, detail: "x\ny").message }
    #expect(Set(messages).count == causes.count)
    for message in messages {
      #expect(message.hasPrefix("mqtts://broker:8883: ") && !message.contains("\n"))
    }
    #expect(!BrokerFailure(.wrongPassword, at: broker).isPassing)
    #expect(BrokerFailure(.certificateNotYetValid, at: broker).isPassing)
  }

  @Test("a secret is shown nowhere") func secret() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(BrokerLogin(clientID: "board", password: secret), to: &dumped)
    #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("hunter2"))
  }
}
