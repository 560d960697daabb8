import Core
import Records

/// An access point of a scan, under its pseudonym.
public struct PseudonymousSignal: Hashable, Sendable {
  public let pseudonym: Int64
  /// In dBm.
  let strength: Double

  public init(pseudonym: Int64, strength: Double) {
    self.pseudonym = pseudonym
    self.strength = strength
  }
}

/// The result of a scan under pseudonyms: the strongest access points, each once.
public struct RadioFingerprint: Hashable, Sendable {
  /// More would not improve the position, and each one is looked up and learnt.
  static let most = 24
  /// The limit of processed signals; a hostile scan may have any number.
  private static let mostRead = 4096

  /// In descending order of strength.
  public let signals: [PseudonymousSignal]

  public init(_ scan: AccessPointScan, pseudonyms: Pseudonyms) {
    self.init(scan) { pseudonyms.of($0) }
  }

  /// - Parameter pseudonym: gives the pseudonym of an address, for example a precomputed one.
  public init(_ scan: AccessPointScan, pseudonym: (String) -> Int64) {
    var strongest: [String: Double] = [:]
    for signal in scan.signals.prefix(Self.mostRead) where signal.strength.isFinite {
      strongest[signal.bssid] = max(signal.strength, strongest[signal.bssid] ?? signal.strength)
    }
    // Equal strengths are ordered by address, so that the result is reproducible.
    let chosen = strongest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most)
    signals = chosen.map { PseudonymousSignal(pseudonym: pseudonym($0.key), strength: $0.value) }
  }

  init(hearings: [PseudonymousSignal]) { self.signals = hearings }

  static let nothing = RadioFingerprint(hearings: [])

  public var pseudonyms: [Int64] { signals.map(\.pseudonym) }
}
