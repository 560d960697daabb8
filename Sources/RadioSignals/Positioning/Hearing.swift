import Core
import Records

/// An access point in a scan, under its pseudonym.
public struct Hearing: Hashable, Sendable {
  public let pseudonym: Int64
  /// Decibels above a milliwatt.
  public let strength: Double

  public init(pseudonym: Int64, strength: Double) {
    self.pseudonym = pseudonym
    self.strength = strength
  }
}

/// What a scan has heard, under pseudonyms: the strongest ones, each once.
public struct Neighbourhood: Hashable, Sendable {
  /// More would not place the board better, and each is looked up and learnt.
  public static let most = 24
  /// So many of a scan are looked at; a hostile one may have any number.
  private static let mostRead = 4096

  /// The strongest first.
  public let hearings: [Hearing]

  public init(_ scan: AccessPointScan, pseudonyms: Pseudonyms) {
    self.init(scan) { pseudonyms.of($0) }
  }

  /// - Parameter pseudonym: of an address, such as one that was made before.
  public init(_ scan: AccessPointScan, pseudonym: (String) -> Int64) {
    var strongest: [String: Double] = [:]
    for signal in scan.signals.prefix(Self.mostRead) where signal.strength.isFinite {
      strongest[signal.bssid] = max(signal.strength, strongest[signal.bssid] ?? signal.strength)
    }
    // By their names where equally strong, so that the same scan always gives the same.
    let chosen = strongest.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most)
    hearings = chosen.map { Hearing(pseudonym: pseudonym($0.key), strength: $0.value) }
  }

  init(hearings: [Hearing]) { self.hearings = hearings }

  static let nothing = Neighbourhood(hearings: [])

  public var pseudonyms: [Int64] { hearings.map(\.pseudonym) }
}
