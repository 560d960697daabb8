import Core
import Records

/// Wi-Fi scans as evidence: as long as the access points around are those of the place where the
/// board came to rest, it is still there.
///
/// A scan costs as much as two fix attempts without signal of a receiver that reports reception,
/// and as four under open sky; and such an attempt detects that the board is out of doors, which a
/// scan does not. With a receiver that does not report, an attempt without signal takes half a
/// minute and costs five scans. Scans are requested there, and once a stay is so long that few are
/// needed. Nothing is kept of a place that was left, so access points that have moved house
/// meanwhile cause no error.
struct FingerprintWatch: Sendable {
  /// What a scan shows about the place of this rest.
  enum Verdict: Hashable, Sendable { case here, elsewhere, unclear }

  /// Half of the received signals were here before: each scan misses three of ten, but most of what
  /// it finds was found by an earlier one.
  private static let similar = 0.5
  /// Less than this is another place. Values between the two occur in neighbouring rooms.
  private static let dissimilar = 0.2
  /// Shorter stays end before a scan is worth its energy.
  private static let settled: Seconds = 600
  /// The pause between scans as a share of the rest so far: a long stay is likely to last.
  private static let pauseShare = 0.25
  private static let shortest: Seconds = 300
  private static let longest: Seconds = 900
  /// A scan without an answer by then has failed.
  private static let timeout: Seconds = 60
  private static let maxTravelling = 32
  /// The range of an access point.
  private static let reach: Metres = 150
  /// The board cannot have moved faster since a scan.
  private static let fastest: MetresPerSecond = 50

  private(set) var trust = SourceTrust(required: 1)
  private var print: Fingerprint?
  /// The fingerprint of the previous place: access points found here again travel along.
  private var before: Fingerprint?
  private var travelling: [String] = []
  private var requested: BootInstant?
  private var lastScan: BootInstant?
  /// When the last scan showed that the board is still here.
  private(set) var lastHere: BootInstant?
  private var unclear = 0
  /// A scan has shown that the board is elsewhere, and no fix has confirmed or refuted it yet.
  private var isAway = false

  /// Whether scans at this place show if the board is still here.
  func isConclusive(at now: BootInstant) -> Bool {
    guard trust.isTrusted, !isAway, unclear < 2, let print, print.isDistinctive, let lastHere
    else { return false }
    return now - lastHere < Self.longest * 2
  }

  /// When the next scan is worth its energy.
  /// - Parameter since: since when the board rests.
  func due(restingSince since: BootInstant) -> BootInstant {
    if let requested { return requested + Self.timeout }
    guard let lastScan else { return since + Self.settled }
    if print.map({ !$0.isDistinctive }) ?? true { return lastScan + Self.longest * 4 }
    // A second scan soon after the first finds what that has missed.
    let pause = (lastScan - since) * Self.pauseShare
    return lastScan + min(max(pause, Self.shortest), Self.longest)
  }

  /// - Returns: whether to query now. A pending query without an answer has failed.
  mutating func request(at now: BootInstant) -> Bool {
    guard requested == nil else {
      failed(at: now)
      return false
    }
    requested = now
    return true
  }

  mutating func failed(at now: BootInstant) {
    requested = nil
    lastScan = now
  }

  /// The result of a scan, for a board at rest.
  mutating func scanReceived(_ scan: [AccessPointSignal], at now: BootInstant) -> Verdict {
    requested = nil
    lastScan = now
    guard let known = print else {
      forgetTravelling(scan)
      var first = Fingerprint()
      first.add(scan, except: travelling)
      print = first
      return .unclear
    }
    guard let similarity = known.similarity(to: scan, except: travelling) else {
      unclear += 1
      print?.add(scan, except: travelling)
      return .unclear
    }
    if similarity >= Self.similar {
      unclear = 0
      lastHere = now
      isAway = false
      print?.add(scan, except: travelling)
      return .here
    }
    guard similarity < Self.dissimilar else {
      unclear += 1
      return .unclear
    }
    isAway = true
    return .elsewhere
  }

  /// What was received at the place before and is received here came along: a telephone, a bus.
  private mutating func forgetTravelling(_ scan: [AccessPointSignal]) {
    guard let before else { return }
    for signal in scan.prefix(Fingerprint.maxAccessPoints)
    where before.accessPoints.contains(signal.bssid) && !travelling.contains(signal.bssid) {
      travelling.append(signal.bssid)
      if travelling.count > Self.maxTravelling { travelling.removeFirst() }
    }
  }

  // MARK: Findings of other sources

  /// The board was found at this distance from where it rested.
  mutating func displaced(by distance: Metres, at now: BootInstant) {
    if isAway {
      trust.confirm()
    } else if let lastHere, distance > Self.reach + Self.fastest * (now - lastHere) {
      trust.contradict()
    }
    if print?.isDistinctive ?? false { before = print }
    leave()
  }

  /// The board was found where it was.
  mutating func stayed() {
    guard !isAway else {
      trust.contradict()
      return leave()
    }
    notContradicted()
  }

  /// A fix attempt without signal does not contradict the last scan.
  mutating func notContradicted() {
    if !isAway, let lastHere, lastHere == lastScan { trust.confirm() }
  }

  /// The board rests elsewhere now.
  mutating func leave() {
    print = nil
    requested = nil
    lastScan = nil
    lastHere = nil
    unclear = 0
    isAway = false
  }
}

// MARK: Over a restart

extension FingerprintWatch {
  static let fields = SnapshotFields<FingerprintWatch>([
    .part("trust", \.trust, SourceTrust.fields)
  ])
}
