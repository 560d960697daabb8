import Core
import Testing

@testable import VirtualDevice

/// The cheapest fixes on small pieces of a truth, compared with all possible sets of fixes.
@Suite struct CheapestFixesTests {
  static let limit: Metres = 100
  let prices = FixPrices(VirtualReceiverSettings())

  @Test("no set of fixes is cheaper, and one has the same price", arguments: 1...60)
  func theCheapestOfAllSets(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let line = SmallLine(&random)
    for foresight in Foresight.allCases {
      let found = CheapestFixes(
        line.piece, prices: prices, limit: Self.limit, foresight: foresight
      ).energy
      let expected = line.cheapest(prices, foresight)
      #expect(
        (found.value - expected.value).magnitude < 1e-9,
        "\(foresight): found \(found), of all sets \(expected)")
    }
  }

  @Test("a wider limit never costs more, less foresight never less", arguments: 1...30)
  func widerLimitsAreCheaper(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let line = SmallLine(&random)
    func energy(_ limit: Metres, _ foresight: Foresight) -> Joules {
      CheapestFixes(line.piece, prices: prices, limit: limit, foresight: foresight).energy
    }
    for foresight in Foresight.allCases {
      let energies = [30.0, 60, 100, 200, 500].map { energy(Metres($0), foresight) }
      #expect(energies == energies.sorted(by: >))
    }
    #expect(energy(Self.limit, .clairvoyant) <= energy(Self.limit, .perfectMotion))
  }

  @Test("a velocity in all circles is in the cone, one 2 % outside of any is not")
  func theConeIsHardlyWiderThanTheCircles() {
    var random = SeededRandom(seed: 5)
    var admitted = 0
    for _ in 0..<2000 {
      let limit = 100.0
      let points = (1...5).map { time in
        (SIMD2(random.uniform(in: -90...90), random.uniform(in: -90...90)), Double(time))
      }
      var cone = VelocityCone(limit: limit)
      for (way, time) in points { cone.narrow(to: way, after: time) }
      let velocity = SIMD2(random.uniform(in: -30...30), random.uniform(in: -30...30))
      let farthest = points.map { way, time in
        let apart = velocity * time - way
        return (apart * apart).sum().squareRoot()
      }.max()!
      let isIn = cone.contains(velocity, after: 1)
      if farthest <= limit { #expect(isIn) }
      if farthest > limit * 1.02 { #expect(!isIn) }
      if isIn { admitted += 1 }
    }
    #expect((30..<1900).contains(admitted))
  }
}

/// A dozen epochs along a line, with a stay in the middle.
private struct SmallLine {
  let piece: TruthPiece
  private let east: [Double]

  init(_ random: inout SeededRandom) {
    let count = 12
    let stay = 5..<8
    let plane = 111_194.926_644_558_73
    var metres = 0.0
    var samples: [TruthPiece.Sample] = []
    for index in 0..<count {
      // Steps long enough for a demand at each.
      let step = random.uniform(in: -120...260)
      if !stay.contains(index) { metres += step.magnitude < 25 ? 25 : step }
      let paces: [Seconds] = [1, 1, 1, 0.6, 0.08, 0]
      var sample = TruthPiece.Sample(
        position: Coordinate(latitude: Degrees(metres / plane), longitude: 7),
        progress: paces[Int(random.next() % 6)])
      sample.isUnderWay = !stay.contains(index)
      samples.append(sample)
    }
    piece = TruthPiece(
      start: morning, interval: 1, samples: samples,
      rests: [TruthPiece.Rest(samples: stay, isStay: true, begins: true, ends: true)], bracket: 1)
    east = piece.points.map(\.y)
  }

  /// The energy of the cheapest of all sets of fixes that keep the limits.
  func cheapest(_ prices: FixPrices, _ foresight: Foresight) -> Joules {
    let windows = piece.windows(foresight)
    if windows.isEmpty, mayNeedNone { return 0 }
    var least = Joules(.infinity)
    for set in 0..<(1 << east.count) {
      let fixes = east.indices.filter { set & 1 << $0 != 0 }
      guard !fixes.isEmpty, windows.allSatisfy({ $0.contains(where: fixes.contains) }),
        keepsLimits(fixes, foresight)
      else { continue }
      least = min(least, price(fixes, prices))
    }
    return least
  }

  private func price(_ fixes: [Int], _ prices: FixPrices) -> Joules {
    fixes.reduce(Joules(0)) { sum, fix in
      var progress: Seconds = 0
      var epochs = 0
      while progress < prices.minSearch {
        progress += fix >= epochs ? piece.samples[fix - epochs].progress : 1
        epochs += 1
      }
      let canStay = fix == 0 || fixes.contains(fix - 1)
      var price = canStay ? prices.staying : Joules(.infinity)
      if piece.samples[fix].progress > 0 { price = min(price, prices.search(epochs: epochs)) }
      return sum + price
    }
  }

  private func keepsLimits(_ fixes: [Int], _ foresight: Foresight) -> Bool {
    for (from, to) in zip(fixes, fixes.dropFirst()) where !keeps(from, to) { return false }
    if foresight == .perfectMotion {
      for (index, fix) in fixes.enumerated() {
        let next = index + 1 < fixes.count ? fixes[index + 1] : east.count
        if !reckons(from: fix, until: next) { return false }
      }
    }
    return hasVelocity(at: fixes[0], 0..<fixes[0])
      && hasVelocity(at: fixes.last!, fixes.last! + 1..<east.count)
  }

  /// Whether dead reckoning from the fix, straight ahead or at rest, holds until the next one.
  private func reckons(from fix: Int, until next: Int) -> Bool {
    let demanded = (fix..<next).dropFirst().filter { piece.samples[$0].isDemanded }
    let steps = zip(east, east.dropFirst()).map { $1 - $0 }
    let heading = (steps[..<fix].last { $0 != 0 } ?? steps.first { $0 != 0 } ?? 0).sign
    let isAhead = demanded.allSatisfy { index in
      let way = steps[fix..<index].reduce(0) { $0 + $1.magnitude }
      let guess = east[fix] + (heading == .minus ? -way : way)
      return (guess - east[index]).magnitude <= CheapestFixesTests.limit.value
    }
    return isAhead
      || demanded.allSatisfy {
        (east[$0] - east[fix]).magnitude <= CheapestFixesTests.limit.value
      }
  }

  private func keeps(_ from: Int, _ to: Int) -> Bool {
    (from..<to).dropFirst().allSatisfy { index in
      let share = Double(index - from) / Double(to - from)
      let line = east[from] + (east[to] - east[from]) * share
      return !piece.samples[index].isDemanded
        || (line - east[index]).magnitude <= CheapestFixesTests.limit.value
    }
  }

  /// Whether a line through that fix passes near enough to all of those epochs.
  private func hasVelocity(
    at fix: Int, _ epochs: Range<Int>, limit: Double = CheapestFixesTests.limit.value
  ) -> Bool {
    let demanded = epochs.filter { piece.samples[$0].isDemanded }
    let extremes = demanded.flatMap { index in
      [-limit, limit].map { (east[index] + $0 - east[fix]) / Double(index - fix) }
    }
    return extremes.isEmpty
      || extremes.contains { velocity in
        demanded.allSatisfy {
          (east[fix] + velocity * Double($0 - fix) - east[$0]).magnitude <= limit + 1e-6
        }
      }
  }

  private var mayNeedNone: Bool {
    guard let first = east.indices.first(where: { piece.samples[$0].isDemanded }) else {
      return true
    }
    return hasVelocity(
      at: first, first + 1..<east.count, limit: 2 * CheapestFixesTests.limit.value)
  }
}
