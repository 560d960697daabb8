import Core
import Testing

@testable import Transports

@Suite struct KeepAliveTests {
  private static let start = BootInstant.boot(100)

  @Test("a ping is sent an interval after the quieter direction") func quiet() throws {
    var keepAlive = KeepAlive(every: 60, from: Self.start)
    let first = try #require(keepAlive.due)
    #expect(first > Self.start + 60 && first < Self.start + 61)
    // Much is received, and nothing is sent.
    keepAlive.note(sent: 0, received: 10, at: Self.start + 59)
    #expect(keepAlive.due == first)
    keepAlive.note(sent: 2, received: 10, at: Self.start + 59.5)
    #expect(try #require(keepAlive.due) > Self.start + 119)
  }

  @Test("after a ping there is an interval for the answer") func asked() throws {
    var keepAlive = KeepAlive(every: 60, from: Self.start)
    keepAlive.note(sent: 2, received: 0, at: Self.start + 60.1)
    let due = try #require(keepAlive.due)
    #expect(due > Self.start + 120 && due < Self.start + 121)
  }

  @Test("an answer is awaited from the ping until any data arrives") func awaited() {
    var keepAlive = KeepAlive(every: 60, from: Self.start)
    #expect(!keepAlive.awaitsPong)
    // The client's own data is not a ping.
    keepAlive.note(sent: 10, received: 10, at: Self.start + 10)
    #expect(!keepAlive.awaitsPong)
    keepAlive.note(sent: 12, received: 10, at: Self.start + 70.1)
    #expect(keepAlive.awaitsPong)
    keepAlive.note(sent: 14, received: 10, at: Self.start + 70.2)
    #expect(keepAlive.awaitsPong)
    keepAlive.note(sent: 14, received: 12, at: Self.start + 70.3)
    #expect(!keepAlive.awaitsPong)
  }

  @Test("without an interval there is no ping") func never() {
    #expect(KeepAlive(every: 0, from: Self.start).due == nil)
  }
}
