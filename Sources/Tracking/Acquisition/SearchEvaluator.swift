import Core
import GNSS

/// The reception during a search.
enum SignalQuality: String, Hashable, Sendable {
  /// Next to nothing is received: a cellar, a hall, a tunnel.
  case noSignal = "dark"
  /// Some satellites are received, too weakly for a quick fix: behind walls.
  case weak = "faint"
  /// At least four satellites are strong enough to be acquired and their messages decoded.
  case good = "clear"
}

/// Whether another second of searching is worth its energy, from the reported reception.
///
/// Under open sky a receiver receives satellites long before its first fix: within one or two
/// seconds after a hot start, within seconds after a warm one, within about fifteen after a cold
/// one. A longer silence means walls. Weak signals may still lead to a fix: the rate of fixes per
/// second of searching with weak signals is learnt and compared with what a fix is worth.
struct SearchEvaluator: Hashable, Sendable {
  /// Below this the fourth satellite cannot be acquired in a cold start, nor its ephemeris be
  /// decoded: acquisition needs -148 dBm, about 26 dB-Hz (u-blox M8 data sheet, UBX-15031086, table
  /// 1).
  private static let enough: DecibelHertz = 28
  /// Weaker signals come through walls, or are not from a satellite.
  private static let weak: DecibelHertz = 20

  /// No start takes longer to its first signal under open sky.
  private static let maxDelay: Seconds = 120
  /// The averaging window for the time spent with weak signals.
  private static let memory: Seconds = 1200

  /// How much navigation data the receiver can be expected to have.
  enum Start: Int, Hashable, Sendable { case hot, warm, cold }

  /// What was learnt for one kind of start.
  private struct Experience: Hashable, Sendable {
    /// Time from the first report to any signal, and to four good signals, in searches that ended
    /// with a fix.
    var anySignal: Seconds
    var fourSignals: Seconds
    /// With weak signals: fixes, and the time spent on them.
    var fixes = 1.0
    var searched: Seconds

    /// Beyond this, the absence of signals is not explained by the start.
    var silence: Seconds { anySignal * 2 + 1 }
    var weakness: Seconds { fourSignals * 1.5 + 1 }
  }

  /// Initial values, before anything was learnt.
  private static let inexperienced = [
    Experience(anySignal: 0, fourSignals: 0, searched: 20),
    Experience(anySignal: 1, fourSignals: 3, searched: 120),
    Experience(anySignal: 8, fourSignals: 12, searched: 240),
  ]

  private var experience = Self.inexperienced
  private var start = Start.cold
  private var firstReport: BootInstant?
  private var lastReport: BootInstant?
  private var anySignal: BootInstant?
  private var fourSignals: BootInstant?
  private var faintSince: BootInstant?
  private var clearSince: BootInstant?
  private var latest: SatelliteReception?

  // MARK: Events

  mutating func began(_ start: Start) {
    self.start = start
    firstReport = nil
    lastReport = nil
    anySignal = nil
    fourSignals = nil
    faintSince = nil
    clearSince = nil
    latest = nil
  }

  mutating func received(_ signals: SatelliteReception, at now: BootInstant) {
    latest = signals
    firstReport = firstReport ?? now
    lastReport = now
    if signals.strongest >= Self.weak { anySignal = anySignal ?? now }
    if signals.fourth >= Self.enough { fourSignals = fourSignals ?? now }
    let quality = Self.quality(of: signals)
    faintSince = quality == .weak ? faintSince ?? now : nil
    clearSince = quality == .good ? clearSince ?? now : nil
  }

  mutating func found(at now: BootInstant) {
    learnDelay(until: anySignal, \.anySignal)
    learnDelay(until: fourSignals, \.fourSignals)
    count(fixes: 1, at: now)
  }

  private mutating func learnDelay(
    until received: BootInstant?, _ delay: WritableKeyPath<Experience, Seconds>
  ) {
    // After a longer delay the board has come out of doors.
    guard let firstReport, let received, received - firstReport <= Self.maxDelay else { return }
    let learnt = experience[start.rawValue][keyPath: delay]
    experience[start.rawValue][keyPath: delay] +=
      (received - firstReport - learnt) * TTFFPrediction.weight
  }

  mutating func gaveUp(at now: BootInstant) { count(fixes: 0, at: now) }

  /// Old values fade, because another building has other walls. Weak reception that has changed
  /// since counts neither way: with it, simulated weeks cost 2 % more and found no more.
  private mutating func count(fixes: Double, at now: BootInstant) {
    guard let faintSince else { return }
    var own = experience[start.rawValue]
    own.searched += now - faintSince
    own.fixes += fixes
    if own.searched > Self.memory {
      own.fixes *= Self.memory * 0.5 / own.searched
      own.searched = Self.memory * 0.5
    }
    experience[start.rawValue] = own
    self.faintSince = nil
  }

  // MARK: Results

  /// Nil while the receiver has not reported any signals.
  var signalQuality: SignalQuality? { latest.map(Self.quality) }

  private static func quality(of signals: SatelliteReception) -> SignalQuality {
    if signals.fourth >= enough { return .good }
    return signals.strongest >= weak ? .weak : .noSignal
  }

  /// How long reception has been good; nil: it is not.
  func clearTime(until now: BootInstant) -> Seconds? { clearSince.map { now - $0 } }

  /// Why the search should be abandoned; nil: continue, or nothing is known.
  /// - Parameter worth: how many seconds of searching a fix is worth.
  func objection(worth: Seconds, at now: BootInstant) -> SignalQuality? {
    guard let signalQuality, let firstReport, let lastReport else { return nil }
    let own = experience[start.rawValue]
    let elapsed = lastReport - firstReport
    guard signalQuality != .good, elapsed >= own.silence else { return nil }
    guard signalQuality == .weak else { return signalQuality }
    guard elapsed >= own.weakness, let faintSince else { return nil }
    let searched = own.searched + (now - faintSince)
    return worth * own.fixes > searched ? nil : signalQuality
  }
}

// MARK: Over a restart

extension SearchEvaluator {
  private static let time = SnapshotCoding<Seconds>.of(.number(0...3600))

  private static let coding = SnapshotFields<Experience>([
    .required("any_signal_s", \.anySignal, time), .required("four_signals_s", \.fourSignals, time),
    .required("faint_fixes", \.fixes, .number(0...1e6)),
    .required("faint_searched_s", \.searched, time),
  ]).coding(onto: Experience(anySignal: 0, fourSignals: 0, searched: 0))

  /// What was learnt for hot, warm and cold starts, in this order; nil: nothing.
  var snapshot: JSONValue? {
    experience == Self.inexperienced ? nil : .array(experience.map(Self.coding.json))
  }

  /// Continues with what an earlier run learnt. Damaged values are learnt anew.
  mutating func restore(_ snapshot: JSONValue?) {
    guard let saved = snapshot?.array, saved.count == experience.count else { return }
    for (index, json) in saved.enumerated() {
      if let learnt = Self.coding.value(json) { experience[index] = learnt }
    }
  }
}
