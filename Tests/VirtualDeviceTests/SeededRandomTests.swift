import Testing

@testable import VirtualDevice

@Suite struct SeededRandomTests {
  /// The first numbers of SplitMix64 for this seed, as from other implementations.
  @Test("the generator is SplitMix64") func isSplitMix64() {
    var random = SeededRandom(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect(random.next() == 9_817_491_932_198_370_423)
  }

  @Test("gaussian numbers follow the normal distribution") func gaussianHasItsMoments() {
    var random = SeededRandom(seed: 1, stream: 2)
    let values = (0..<100_000).map { _ in random.gaussian() }
    let mean = values.reduce(0, +) / 100_000
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
    #expect(mean.magnitude < 0.015)
    #expect(abs(variance - 1) < 0.02)
    // A normal distribution has 31.7 % outside one and 4.55 % outside two standard deviations.
    #expect(abs(Double(values.count { $0.magnitude > 1 }) - 31_700) < 900)
    #expect(abs(Double(values.count { $0.magnitude > 2 }) - 4550) < 500)
  }

  @Test("uniform numbers stay within their range and fill it") func uniformFillsItsRange() {
    var random = SeededRandom(seed: 3)
    let values = (0..<10_000).map { _ in random.uniform(in: -2...6) }
    #expect(values.allSatisfy { (-2..<6).contains($0) })
    #expect(abs(values.reduce(0, +) / 10_000 - 2) < 0.1)
  }

  @Test("streams of one seed are different") func streamsAreDifferent() {
    var first = SeededRandom(seed: 1, stream: 1)
    var second = SeededRandom(seed: 1, stream: 2)
    #expect((0..<10).allSatisfy { _ in first.next() != second.next() })
  }
}
