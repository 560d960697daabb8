import Core
import Tracking

/// The experiment at one speed and with one rule, or always at the best accuracy, over many seeds.
public struct LetterboxResult {
  public let pace: LetterboxRoute.Pace
  /// Nil: always at the best accuracy.
  public let rule: ProximityLevel.Rule?
  public let phones: [PhoneTrial]
  public let boards: [BoardTrial]
  /// Always at the best accuracy, with the same seeds.
  private let references: [BoardTrial]
  private let seeds: [UInt64]

  /// How often the unknown currents of a phone are drawn for each seed.
  private static let draws = 200

  public init(
    _ pace: LetterboxRoute.Pace, rule: ProximityLevel.Rule?, seeds: [UInt64]
  ) throws {
    self.pace = pace
    self.rule = rule
    self.seeds = seeds
    phones = seeds.map {
      PhoneTrial(on: LetterboxRoute(pace, seed: $0), rule: rule, seed: $0)
    }
    references = try seeds.map {
      try BoardTrial(on: LetterboxRoute(pace, seed: $0), policy: .continuous, seed: $0)
    }
    boards =
      try rule.map { rule in
        try seeds.map {
          try BoardTrial(
            on: LetterboxRoute(pace, seed: $0),
            policy: .proximity(ProximitySettings(rule: rule)), seed: $0)
        }
      } ?? references
  }

  /// The share of a level, over all seeds.
  public func share(_ level: ProximityLevel) -> Double {
    phones.map { $0.share(level) }.reduce(0, +) / Double(max(phones.count, 1))
  }

  /// The first seed whose phone did at the place what most of them did.
  public var typicalSeed: UInt64 {
    let isReached = phones.count { $0.located.isReached } * 2 > phones.count
    return zip(seeds, phones).first { $1.located.isReached == isReached }?.0 ?? 1
  }

  public func saved(by phone: PhoneCurrents) -> Spread {
    Spread(
      zip(phones, seeds).flatMap { phone.savings(of: $0, draws: Self.draws, seed: $1) })
  }

  /// The saved share of the receiver's charge.
  public var savedByBoard: Spread {
    Spread(zip(boards, references).map { 1 - $0.charge.value / $1.charge.value })
  }
}

/// Values in ascending order.
public struct Spread {
  private let sorted: [Double]

  public init(_ values: [Double]) { sorted = values.sorted() }

  public var median: Double { quantile(0.5) }
  /// The range that contains 95 % of the values.
  public var interval: ClosedRange<Double> { quantile(0.025)...quantile(0.975) }

  private func quantile(_ share: Double) -> Double {
    guard !sorted.isEmpty else { return .nan }
    return sorted[Int((Double(sorted.count - 1) * share).rounded())]
  }
}
