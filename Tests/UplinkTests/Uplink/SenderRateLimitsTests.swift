import Messaging
import Core
import Testing

@testable import Uplink

@Suite struct SenderRateLimitsTests {
  private static let start = BootInstant.zero

  private func allowances() throws -> SenderRateLimits {
    SenderRateLimits(of: try PersonAddress("anna"))
  }

  @Test("whoever sends too much is heard more slowly, and nobody else is") func flood() throws {
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

  @Test("a member who tells every ten seconds where they are is heard for days") func member()
    throws
  {
    var allowances = try allowances()
    let taken = (0..<20_000).count { number in
      allowances.allow(
        "godwit-group-positions/id/ben", at: Self.start + Seconds(Double(number) * 10))
    }
    #expect(taken == 20_000)
  }

  @Test("all that one has written oneself comes back") func own() throws {
    var allowances = try allowances()
    let taken = (0..<12_800).count { number in
      allowances.allow("godwit-letters/p\(number)/anna/1", at: Self.start)
    }
    #expect(taken == 12_800)
  }

  @Test("thousands of names are one more, and no growth") func names() throws {
    var allowances = try allowances()
    let taken = (0..<5000).count { number in
      allowances.allow("godwit-letters/anna/e\(number)/1", at: Self.start)
    }
    #expect(taken == 999 + 500)
  }

  @Test("however many names come first, a contact is heard") func contact() throws {
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
