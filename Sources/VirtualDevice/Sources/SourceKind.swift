import Core

/// The sources of motion and surroundings, other than GNSS, that a virtual board may have.
public enum SourceKind: String, Sendable, CaseIterable {
  case motion, network, wifi, cell, ignition

  /// The energy of having and querying a source; the data sheets are in
  /// docs/design/simulation-model.md.
  public var energy: SourceEnergy {
    switch self {
    case .motion: SourceEnergy(current: Amperes(4e-6), supply: 3.3)
    // A connection that is up anyway reports its changes at no cost; so does a pin.
    case .network, .ignition: SourceEnergy()
    case .wifi:
      SourceEnergy(supply: 3.3, question: Amperes(milliamperes: 84.1), for: WiFiSource.scanTime)
    case .cell: SourceEnergy(supply: 3.8, question: Amperes(milliamperes: 7), for: 1)
    }
  }
}

/// A source's own consumption, in addition to the board's.
public struct SourceEnergy: Hashable, Sendable {
  /// Without queries.
  public let power: Watts
  /// Per query.
  public let question: Joules

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
