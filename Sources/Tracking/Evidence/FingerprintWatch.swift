import Core
import Records

/// What Wi-Fi scans tell: as long as the access points around are those of the place where the
/// board came to rest, it is still there.
///
/// A scan costs as much as two looks at a dark sky by a receiver that tells what it hears, and as
/// four at a clear one; and such a look sees that the board is out of doors, which a scan does not.
/// Where the receiver does not tell, a look at a dark sky takes half a minute and costs five scans:
/// there, and once a stay is so long that few scans are needed, they are asked for. Nothing is
/// remembered of a place that was left: what moved house meanwhile cannot be mistaken.
struct FingerprintWatch: Sendable {
  /// What a scan says of the place of this rest.
  enum Verdict: Hashable, Sendable { case here, elsewhere, unclear }

  /// Half of what is heard was here before: three of ten are missed by each scan, but what a scan
  /// hears was mostly heard by one of the earlier ones.
  private static let similar = 0.5
  /// Less than this is another place. Between them lie the neighbours' rooms.
  private static let dissimilar = 0.2
  /// Shorter stays are over before a scan is worth it.
  private static let settled: Seconds = 600
  /// Between scans, for how long the rest has lasted: who has stayed for long stays on.
  private static let patience = 0.25
  private static let shortest: Seconds = 300
  private static let longest: Seconds = 900
  /// A scan that does not answer has failed.
  private static let timeout: Seconds = 60
  private static let maxTravelling = 32
  /// An access point reaches so far.
  private static let reach: Metres = 150
  /// Nobody has gone on faster since a scan.
  private static let fastest: MetresPerSecond = 50

  private(set) var trust = SourceTrust(required: 1)
  private var print: Fingerprint?
  /// What was heard at the place before: what is heard here again travels along.
  private var before: Fingerprint?
  private var travelling: [String] = []
  private var asked: BootInstant?
  private var lastScan: BootInstant?
  /// When the last scan heard that the board is still here.
  private(set) var lastHere: BootInstant?
  private var unclear = 0
  /// A scan has said that the board is elsewhere, and no look has told yet whether it is.
  private var isAway = false

  /// Whether scans tell at this place whether the board is still here.
  func isTelling(at now: BootInstant) -> Bool {
    guard trust.isTrusted, !isAway, unclear < 2, let print, print.isTelling, let lastHere
    else { return false }
    return now - lastHere < Self.longest * 2
  }

  /// When the next scan is worth it.
  /// - Parameter since: since when the board rests.
  func due(restingSince since: BootInstant) -> BootInstant {
    if let asked { return asked + Self.timeout }
    guard let lastScan else { return since + Self.settled }
    if print.map({ !$0.isTelling }) ?? true { return lastScan + Self.longest * 4 }
    // A second one soon after the first makes up for what that has missed.
    let pause = (lastScan - since) * Self.patience
    return lastScan + min(max(pause, Self.shortest), Self.longest)
  }

  /// - Returns: whether it is to be asked. One that was and has not answered has failed.
  mutating func ask(at now: BootInstant) -> Bool {
    guard asked == nil else {
      failed(at: now)
      return false
    }
    asked = now
    return true
  }

  mutating func failed(at now: BootInstant) {
    asked = nil
    lastScan = now
  }

  /// The answer to a scan, at a board that rests.
  mutating func heard(_ scan: [AccessPointSignal], at now: BootInstant) -> Verdict {
    asked = nil
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

  /// What was heard at the place before and is heard here came along: a telephone, a bus.
  private mutating func forgetTravelling(_ scan: [AccessPointSignal]) {
    guard let before else { return }
    for signal in scan.prefix(Fingerprint.maxAccessPoints)
    where before.accessPoints.contains(signal.bssid) && !travelling.contains(signal.bssid) {
      travelling.append(signal.bssid)
      if travelling.count > Self.maxTravelling { travelling.removeFirst() }
    }
  }

  // MARK: What others know

  /// The board has been found so far from where it rested.
  mutating func displaced(by distance: Metres, at now: BootInstant) {
    if isAway {
      trust.confirm()
    } else if let lastHere, distance > Self.reach + Self.fastest * (now - lastHere) {
      trust.contradict()
    }
    if print?.isTelling ?? false { before = print }
    leave()
  }

  /// The board has been found where it was.
  mutating func stayed() {
    guard !isAway else {
      trust.contradict()
      return leave()
    }
    notContradicted()
  }

  /// A look that found no sky does not contradict it.
  mutating func notContradicted() {
    if !isAway, let lastHere, lastHere == lastScan { trust.confirm() }
  }

  /// The board rests elsewhere now.
  mutating func leave() {
    print = nil
    asked = nil
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
