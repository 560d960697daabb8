import BrokerStandIns
import Delivery
import Core
import ReceiverStandIns
import TestSupport
import Testing

@testable import Transports

/// Against the mosquitto that Debian ships.
@Suite(
  .enabled(
    if: MosquittoProcess.isInstalled,
    "SKIPPED: mosquitto is not installed, so nothing meets it; apt-get install mosquitto"
  ))
struct MosquittoBrokerTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func address(_ mosquitto: MosquittoProcess, _ scheme: String = "mqtt") throws
    -> BrokerAddress
  { try BrokerAddress(parsing: "\(scheme)://localhost:\(mosquitto.port)") }

  private func start(_ settings: String..., port: UInt16 = 0) throws -> MosquittoProcess {
    try #require(
      try MosquittoProcess(
        port: port, settings.isEmpty ? ["allow_anonymous true"] : settings, in: folder))
  }

  private func come(
    to mosquitto: MosquittoProcess, as login: BrokerLogin, _ scheme: String = "mqtt"
  ) throws -> BrokerTalk {
    let talk = BrokerTalk(MosquittoBroker(), with: mosquitto)
    talk.port.connect(to: try address(mosquitto, scheme), as: login)
    return talk
  }

  @Test("publications arrive, are acknowledged with reasons, and the end is a DISCONNECT")
  func exchange() throws {
    let mosquitto = try start()
    let reader = try come(to: mosquitto, as: BrokerLogin(clientID: "reader"))
    let welcome = try #require(reader.welcome())
    #expect(welcome == .init(version: .five, hasSession: false, receiveMaximum: 20))
    reader.port.subscribe(to: ["a/+", "b"])
    #expect(reader.subscription() == false)

    let writer = try come(to: mosquitto, as: BrokerLogin(clientID: "writer"))
    #expect(writer.welcome() != nil)
    let message = BrokerMessage(
      topic: "a/1", payload: [0, 255, 1], isRetained: true, expiry: 60, responseTopic: "b",
      correlation: [7, 0, 9], contentType: "application/json")
    #expect(writer.port.publish(message, number: 41) == nil)
    #expect(
      writer.port.publish(BrokerMessage(topic: "nobody", payload: []), number: 42) == nil)
    #expect(writer.reason(of: 42) == .noSubscribers)
    #expect(writer.reason(of: 41) == .success)
    #expect(
      reader.message()
        == .init(topic: "a/1", payload: [0, 255, 1], responseTopic: "b", correlation: [7, 0, 9]))
    writer.port.disconnect()
    #expect(writer.hasLeft())
    #expect(mosquitto.says("Client writer disconnected."))
    #expect(writer.port.interest == nil)
  }

  @Test("a reply is awaited from each request until it arrives")
  func awaited() throws {
    let talk = try come(to: try start(), as: BrokerLogin(clientID: "board"))
    #expect(talk.port.awaitsReply)
    #expect(talk.welcome() != nil)
    #expect(!talk.port.awaitsReply)
    talk.port.subscribe(to: ["a"])
    #expect(talk.port.awaitsReply)
    #expect(talk.subscription() == false)
    #expect(!talk.port.awaitsReply)
    #expect(talk.port.publish(BrokerMessage(topic: "b", payload: [1]), number: 1) == nil)
    #expect(talk.port.awaitsReply)
    #expect(talk.reason(of: 1) == .noSubscribers)
    #expect(!talk.port.awaitsReply)
    talk.port.disconnect()
    #expect(talk.port.awaitsReply)
    #expect(talk.hasLeft())
    #expect(!talk.port.awaitsReply)
  }

  @Test("messages queued while offline are received at the next connection") func session() throws {
    let mosquitto = try start()
    let login = BrokerLogin(clientID: "board", sessionExpiry: 3600)
    let first = try come(to: mosquitto, as: login)
    #expect(first.welcome()?.hasSession == false)
    first.port.subscribe(to: ["board/cmd"])
    #expect(first.subscription() == false)
    first.port.disconnect()
    #expect(first.hasLeft())

    let other = try come(to: mosquitto, as: BrokerLogin(clientID: "other"))
    #expect(other.welcome() != nil)
    #expect(other.port.publish(BrokerMessage(topic: "board/cmd", payload: [1]), number: 1) == nil)
    #expect(other.reason(of: 1) == .success)

    let second = try come(to: mosquitto, as: login)
    #expect(second.welcome()?.hasSession == true)
    #expect(second.message()?.payload == [1])
  }

  @Test("publications that the access rules forbid are refused, with the reason") func denied()
    throws
  {
    try folder.write("topic readwrite mine/#\n", to: "rules")
    let mosquitto = try start("allow_anonymous true", "acl_file \(folder.file("rules"))")
    let talk = try come(to: mosquitto, as: BrokerLogin(clientID: "board"))
    #expect(talk.welcome() != nil)
    #expect(talk.port.publish(BrokerMessage(topic: "theirs", payload: [1]), number: 1) == nil)
    let reason = try #require(talk.reason(of: 1))
    #expect(reason.code == 0x87 && !reason.isSuccess && reason.text.contains("access rules"))
  }

  @Test("a wrong password is reported as such") func password() throws {
    let file = folder.file("passwords")
    #expect(try run("mosquitto_passwd", "-b", "-c", file, "ann", "right").status == 0)
    let mosquitto = try start("allow_anonymous false", "password_file \(file)")
    let wrong = BrokerLogin(clientID: "board", user: "ann", password: Secret("wrong"))
    let failure = try come(to: mosquitto, as: wrong).failure()
    #expect(failure?.cause == .wrongPassword || failure?.cause == .notAllowed)
    #expect(failure.map { !$0.message.contains("\"wrong\"") } == true)
    let right = BrokerLogin(clientID: "board", user: "ann", password: Secret("right"))
    #expect(try come(to: mosquitto, as: right).welcome() != nil)
  }

  @Test("a broker that dies is reported, and connected to again") func death() throws {
    let mosquitto = try start()
    let talk = try come(to: mosquitto, as: BrokerLogin(clientID: "board"))
    #expect(talk.welcome() != nil)
    mosquitto.kill()
    #expect(talk.failure()?.cause == .closed)
    #expect(talk.port.interest == nil)
    talk.port.connect(to: try address(mosquitto), as: BrokerLogin(clientID: "board"))
    #expect(talk.failure()?.cause == .refused)
    let again = try start(port: mosquitto.port)
    talk.port.connect(to: try address(again), as: BrokerLogin(clientID: "board"))
    #expect(talk.welcome() != nil)
  }

  @Test("another client with the same id takes over, and that is reported") func takenOver()
    throws
  {
    let mosquitto = try start()
    let first = try come(to: mosquitto, as: BrokerLogin(clientID: "board"))
    #expect(first.welcome() != nil)
    let second = try come(to: mosquitto, as: BrokerLogin(clientID: "board"))
    #expect(second.welcome() != nil)
    // Not every version of mosquitto sends the reason.
    let cause = first.failure()?.cause
    #expect(cause == .takenOver || cause == .closed)
  }

  @Test("many messages in flight are all acknowledged") func many() throws {
    let mosquitto = try start()
    let talk = try come(to: mosquitto, as: BrokerLogin(clientID: "board"))
    #expect(talk.welcome() != nil)
    for number in 1...200 {
      let payload = [UInt8](repeating: UInt8(number), count: 2000)
      #expect(
        talk.port.publish(BrokerMessage(topic: "t", payload: payload), number: Int64(number)) == nil
      )
    }
    #expect((1...200).allSatisfy { talk.reason(of: $0) != nil })
  }

  @Test("messages that no broker accepts are refused here", arguments: ["", "a/+", "#", "a\u{0}b"])
  func topics(topic: String) throws {
    let broker = MosquittoBroker()
    #expect(broker.publish(BrokerMessage(topic: topic, payload: []), number: 1) != nil)
  }
}
