import Messaging
import Core
import Testing

@testable import Uplink

@Suite struct SenderRateLimitsTests {
  private static let start = BootInstant.zero

  private func allowances() throws -> SenderRateLimits {
    SenderRateLimits(of: try PersonAddress("anna"))
  }

  @Test("a sender beyond the limit is slowed down, and no other") func flood() throws {
    var allowances = try allowances()
    let taken = (0..<2000).count { number in
      allowances.allow("godwit-letters/anna/eve/\(number)", at: Self.start)
    }
    #expect(taken == 500)
    let isBenHeard = allowances.allow("godwit-letters/anna/ben/1", at: Self.start)
    let isEveHeard = allowances.allow("godwit-meetings/anna/eve/1", at: Self.start)
    let isEveHeardLater = allowances.allow("godwit-letters/anna/eve/1", at: Self.start + 2)
    #expect(isBenHeard && !isEveHeard && isEveHeardLater)
  }

  @Test("a member with a position every ten seconds is accepted for days") func member()
    throws
  {
    var allowances = try allowances()
    let taken = (0..<20_000).count { number in
      allowances.allow(
        "godwit-group-positions/id/ben", at: Self.start + Seconds(Double(number) * 10))
    }
    #expect(taken == 20_000)
  }

  @Test("all of one's own messages return") func own() throws {
    var allowances = try allowances()
    let taken = (0..<12_800).count { number in
      allowances.allow("godwit-letters/p\(number)/anna/1", at: Self.start)
    }
    #expect(taken == 12_800)
  }

  @Test("thousands of names share one limit, without growth") func names() throws {
    var allowances = try allowances()
    let taken = (0..<5000).count { number in
      allowances.allow("godwit-letters/anna/e\(number)/1", at: Self.start)
    }
    #expect(taken == 999 + 500)
  }

  @Test("after any number of names, a contact is accepted") func contact() throws {
    var allowances = try allowances()
    try allowances.contacts.add("Ben", try PersonAddress("ben"))
    for number in 0..<5000 {
      _ = allowances.allow("godwit-letters/anna/e\(number)/1", at: Self.start)
    }
    let taken = (0..<1000).count { number in
      allowances.allow("godwit-letters/anna/ben/\(number)", at: Self.start)
    }
    #expect(taken == 500)
  }
}
