import Core

/// The steps of a test in order, determined by its protocol alone.
public struct TestPlan: Hashable, Sendable {
  public struct Step: Hashable, Sendable {
    public enum Part: Hashable, Sendable {
      case baselineBefore
      case baselineAfter
      /// - Parameter round: from 1.
      case run(TestCondition, round: Int)
    }

    public let part: Part
    /// Measured after `settling`.
    public let duration: Seconds
    public let settling: Seconds
    /// The interval between readings; 0: as often as the monitor converts.
    public let interval: Seconds
    /// The name of its recording, without an extension.
    public let file: String

    /// The command that runs during it; empty: none.
    public var command: String {
      guard case .run(let condition, _) = part else { return "" }
      return condition.command
    }

    public var title: String {
      switch part {
      case .baselineBefore: "baseline before"
      case .baselineAfter: "baseline after"
      case .run(let condition, let round):
        "\(TerminalText.line(condition.name)), round \(round)"
      }
    }
  }

  public let warmUp: Seconds
  public let steps: [Step]

  /// - Parameter random: seeded by the protocol; it determines the order.
  public init(_ test: TestProtocol, using random: inout some RandomNumberGenerator) {
    warmUp = test.warmUp
    var steps: [Step] = []
    func add(
      _ part: Step.Part, _ duration: Seconds, _ settling: Seconds, _ interval: Seconds,
      _ name: String
    ) {
      steps.append(
        Step(
          part: part, duration: duration, settling: settling, interval: interval,
          file: "\(Self.padded(steps.count + 1))-\(name)"))
    }
    if test.baseline > 0 {
      add(.baselineBefore, test.baseline, 0, test.interval, "baseline-before")
    }
    for round in 1...max(1, test.rounds) {
      let order =
        switch test.order {
        case .interleaved: test.conditions
        case .randomized: test.conditions.shuffled(using: &random)
        }
      for condition in order {
        add(
          .run(condition, round: round), test.duration(of: condition), test.settling,
          test.interval(of: condition),
          Self.fileName(condition.name))
      }
    }
    if test.baseline > 0 { add(.baselineAfter, test.baseline, 0, test.interval, "baseline-after") }
    self.steps = steps
  }

  public var duration: Seconds { steps.reduce(warmUp) { $0 + $1.settling + $1.duration } }

  /// At least four digits, so that file listings are in the order of the runs.
  private static func padded(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func fileName(_ name: String) -> String {
    let safe = name.lowercased().unicodeScalars.map { scalar -> Character in
      ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
    }
    return String(String(safe).prefix(40))
  }
}
