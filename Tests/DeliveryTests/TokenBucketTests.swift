import Core
import Testing

@testable import Delivery

@Suite struct TokenBucketTests {
  @Test("a burst at once, then a rate, and never more than the burst") func taking() {
    var allowance = TokenBucket(atOnce: 3, perSecond: 2)
    let first = (0..<5).map { _ in allowance.take(at: .boot(10)) }
    #expect(first == [true, true, true, false, false])
    let second = (0..<3).map { _ in allowance.take(at: .boot(11)) }
    #expect(second == [true, true, false])
    let later = (0..<5).map { _ in allowance.take(at: .boot(1000)) }
    #expect(later == [true, true, true, false, false])
  }

  @Test("at one per minute the next comes after a minute") func slow() {
    var allowance = TokenBucket(atOnce: 1, perSecond: 1 / 60)
    let taken = [0.0, 59, 61, 62, 122].map { allowance.take(at: .boot($0)) }
    #expect(taken == [true, false, true, false, true])
  }
}
