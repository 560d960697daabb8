import Core

/// A source of motion and surroundings, other than GNSS, that a virtual board may have. It is
/// declared in the file of its behaviour, and a word of `allCases`.
public struct SourceKind: RawRepresentable, Hashable, CaseIterable, Sendable {
  /// In the order in which they are shown.
  public static let allCases: [SourceKind] = [.motion, .network, .wifi, .cell, .ignition]

  /// Its name for the tracker and in `--sources`.
  public let rawValue: String
  /// The energy of having and querying a source; the data sheets are in
  /// docs/design/simulation-model.md.
  let energy: SourceEnergy
  private let make: @Sendable (SourceStart) -> any SourceBehaviour

  init(
    _ name: String, _ energy: SourceEnergy = SourceEnergy(),
    make: @escaping @Sendable (SourceStart) -> any SourceBehaviour
  ) {
    rawValue = name
    self.energy = energy
    self.make = make
  }

  /// Nil: no source has this name.
  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }

  func behaviour(from start: UTCInstant, seed: UInt64) -> any SourceBehaviour {
    make(SourceStart(time: start, seed: seed))
  }

  public static func == (a: SourceKind, b: SourceKind) -> Bool { a.rawValue == b.rawValue }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// What a source's behaviour begins with.
struct SourceStart {
  let time: UTCInstant
  let seed: UInt64

  /// - Parameter stream: each source has its own random numbers.
  func random(_ stream: UInt64) -> SeededRandom {
    SeededRandom(seed: seed, stream: 0x536F_7572_6365_0000 + stream)
  }
}

/// A source's own consumption, in addition to the board's.
public struct SourceEnergy: Hashable, Sendable {
  /// Without queries.
  let power: Watts
  /// Per query.
  let question: Joules

  init(
    current: Amperes = 0, supply: Volts = 0, question: Amperes = 0, for time: Seconds = 0
  ) {
    power = current * supply
    self.question = question * supply * time
  }

  func total(over time: Seconds, questions: Int) -> Joules {
    power * time + question * Double(questions)
  }
}
