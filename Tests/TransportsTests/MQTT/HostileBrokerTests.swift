import BrokerStandIns
import Delivery
import Glibc
import Platform
import Core
import ReceiverStandIns
import Testing

@testable import Transports

/// Hostile servers on a broker's port.
@Suite(.enabled(if: MosquittoLibrary.isInstalled, "SKIPPED: libmosquitto1 is not installed"))
struct HostileBrokerTests {
  private let server = FakeGpsd()

  private func come(_ scheme: String = "mqtt") throws -> BrokerTalk {
    let talk = BrokerTalk(MosquittoBroker())
    talk.port.connect(
      to: try BrokerAddress(parsing: "\(scheme)://127.0.0.1:\(server.port)"),
      as: BrokerLogin(clientID: "board"))
    return talk
  }

  /// A connection that the server has accepted.
  private func comeIn(_ answer: [UInt8] = [0x20, 0x03, 0x00, 0x00, 0x00]) throws -> BrokerTalk {
    let talk = try come()
    try #require(server.accept())
    _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
    _ = server.heard(until: "board")
    server.say(answer)
    try #require(talk.welcome() != nil)
    return talk
  }

  @Test(
    "one that accepts and sends nothing is waited for without polling",
    arguments: ["mqtt", "mqtts"])
  func silent(scheme: String) throws {
    let talk = try come(scheme)
    try #require(server.accept())
    // The attempt ends, and its first bytes are sent.
    let turns = (1...20).first { _ in
      #expect(talk.port.poll() == nil)
      guard let interest = talk.port.interest else { return true }
      var entry = pollfd(
        fd: interest.descriptor,
        events: Int16((interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)), revents: 0)
      return Glibc.poll(&entry, 1, 300) == 0
    }
    let count = try #require(turns, "it is ready at each of 20 turns")
    #expect(count <= 5)
    #expect(talk.port.interest?.writes == false)
    #expect(talk.port.due != nil)
  }

  @Test("one that closes during TLS is reported at once") func halfOfTLS() throws {
    let talk = try come("mqtts")
    for _ in 0..<3 where server.accept() {
      _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
      // Half of a TLS handshake record.
      server.say([0x16, 0x03, 0x03, 0x00, 0x7A, 0x02] as [UInt8])
      server.hangUp()
      if talk.next(within: 0.5, { if case .failed = $0 { true } else { nil as Bool? } }) != nil {
        return
      }
    }
    Issue.record("it is not told")
  }

  @Test("writing to a closed one does not end the process") func brokenPipe() throws {
    let talk = try comeIn()
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    defer {
      var now = timespec()
      _ = sigtimedwait(&pipe, nil, &now)
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    server.hangUp()
    for number in Int64(1)...5 {
      _ = talk.port.publish(BrokerMessage(topic: "t", payload: [1]), number: number)
    }
    #expect(talk.failure()?.cause == .closed)
    sigpending(&pending)
    #expect(sigismember(&pending, SIGPIPE) == 0)
  }

  /// The number of bytes sent until the connection is closed; nil: it never is.
  private func said(_ bytes: [UInt8], to talk: BrokerTalk, atMost most: Int) -> Int? {
    var count = 0
    while count < most {
      count += server.say(bytes)
      let cause = talk.next(within: 0.02) {
        if case .failed(let failure) = $0 { failure.cause } else { nil as BrokerFailure.Cause? }
      }
      if let cause { return cause == .closed ? count : nil }
    }
    return nil
  }

  @Test(
    "an endless message is not read to its end, in any version",
    arguments: [[0x20, 0x03, 0x00, 0x00, 0x00], [0x20, 0x02, 0x00, 0x01]] as [[UInt8]])
  func endless(answer: [UInt8]) throws {
    let isOlder = answer.count == 4
    let talk = isOlder ? try come() : try comeIn()
    if isOlder {
      for answer in [answer, [0x20, 0x02, 0x00, 0x00]] {
        try #require(server.accept())
        _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
        _ = server.heard(until: "board")
        server.say(answer)
        _ = talk.next(within: 0.2) { (_: BrokerEvent) -> Bool? in nil }
      }
      try #require(talk.welcome()?.version == .threeOneOne)
    }
    // PUBLISH, 256 MB long.
    server.say([0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0x00, 0x01, 0x74] as [UInt8])
    let count = said([UInt8](repeating: 0, count: 65_536), to: talk, atMost: 16_777_216)
    #expect(try #require(count) < 8_388_608)
  }

  @Test("a series of long messages is no endless one") func long() throws {
    let talk = try comeIn()
    // PUBLISH to "t", of 200,000 bytes, three of them without properties.
    let head: [UInt8] = [0x30, 0xC0, 0x9A, 0x0C, 0x00, 0x01, 0x74, 0x00]
    let message = head + [UInt8](repeating: 7, count: 200_000 - 4)
    for _ in 0..<4 {
      var sent = 0
      while sent < message.count {
        sent += server.say(Array(message[sent...]))
        if sent < message.count { _ = talk.next(within: 0.02) { (_: BrokerEvent) -> Bool? in nil } }
      }
      #expect(talk.message()?.payload.count == 200_000 - 4)
    }
  }

  @Test("events of an earlier connection do not count for the next one") func earlier()
    throws
  {
    let talk = try comeIn()
    let message: [UInt8] = [0x30, 0x05, 0x00, 0x01, 0x74, 0x00, 0x01]
    server.say(message + message + message)
    #expect(talk.message()?.payload == [1])
    server.hangUp()
    // Two messages wait to be fetched.
    #expect(try #require(talk.port.due) <= BootClock.now)
    talk.port.connect(
      to: try BrokerAddress(parsing: "mqtt://127.0.0.1:\(FakeGpsd.freePort())"),
      as: BrokerLogin(clientID: "board"))
    let first = talk.next { $0 as BrokerEvent? }
    guard case .failed(let failure)? = first else {
      Issue.record("\(String(describing: first))")
      return
    }
    #expect(failure.cause == .refused)
  }

  @Test("one that acknowledges nothing gets a limited number of messages") func room() throws {
    let talk = try comeIn()
    var count: Int64 = 0
    while talk.port.hasRoom, count < 2000 {
      count += 1
      #expect(talk.port.publish(BrokerMessage(topic: "t", payload: [1]), number: count) == nil)
    }
    #expect(count == 1000)
    server.say([0x40, 0x02, 0x00, 0x01] as [UInt8])
    #expect(talk.reason(of: 1) == .success)
    #expect(talk.port.hasRoom)
  }

  @Test("unsolicited messages of QoS 2 are not kept") func unasked() throws {
    let talk = try comeIn()
    // A topic must not be mistaken for a log message of the library.
    let words = Array("x sending PUBREC".utf8)
    server.say([0x30, UInt8(words.count + 3), 0x00, UInt8(words.count)] + words + [0x00])
    #expect(talk.message()?.topic == "x sending PUBREC")
    // PUBLISH to "t" as number 5.
    server.say([0x34, 0x07, 0x00, 0x01, 0x74, 0x00, 0x05, 0x00, 0x01] as [UInt8])
    #expect(talk.failure()?.cause == .closed)
    #expect(talk.port.interest == nil)
  }
}
