import Core
import GNSS

/// What the satellites' signals say about a search.
public enum SignalQuality: String, Hashable, Sendable {
  /// Next to nothing is heard: a cellar, a hall, a tunnel.
  case dark
  /// Some are heard, too weakly to be found soon: behind walls.
  case faint
  /// Four and more are heard well enough to find them and to read their messages.
  case clear
}

/// Whether another second of searching is worth its energy, judged by what the receiver hears.
///
/// A receiver that finds itself under an open sky hears satellites long before it has a fix: within
/// its first second or two after a hot start, within seconds after a warm one, within some fifteen
/// after a cold one. Silence for longer than that is walls. Signals that are heard, but weakly, may
/// yet become a fix: how often they did, for every second that was spent on such a sky, is learnt
/// and compared with what a fix is worth.
struct SearchEvaluator: Hashable, Sendable {
  /// Below this the fourth satellite cannot be found in a cold start, nor its ephemeris be read:
  /// acquisition takes -148 dBm, some 26 dB-Hz (u-blox M8 data sheet, UBX-15031086, table 1).
  private static let enough: DecibelHertz = 28
  /// What is weaker comes through walls, or is no satellite at all.
  private static let weak: DecibelHertz = 20

  /// No start is silent for longer under a sky.
  private static let maxDelay: Seconds = 120
  /// What was spent on faint skies counts for so long.
  private static let memory: Seconds = 1200

  /// How much of the sky the receiver can be expected to know.
  enum Start: Int, Hashable, Sendable { case hot, warm, cold }

  /// What was learnt of one kind of start.
  private struct Experience: Hashable, Sendable {
    /// From the first report until any satellite was heard, and until four were heard well, in
    /// searches that ended with a fix.
    var anySignal: Seconds
    var fourSignals: Seconds
    /// Under a faint sky: fixes, and the time that was spent for them.
    var fixes = 1.0
    var searched: Seconds

    /// Silence of that length is no delay any more.
    var silence: Seconds { anySignal * 2 + 1 }
    var weakness: Seconds { fourSignals * 1.5 + 1 }
  }

  /// Before anything was learnt.
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

  // MARK: What happens

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
    let sky = Self.quality(of: signals)
    faintSince = sky == .faint ? faintSince ?? now : nil
    clearSince = sky == .clear ? clearSince ?? now : nil
  }

  mutating func found(at now: BootInstant) {
    learnDelay(until: anySignal, \.anySignal)
    learnDelay(until: fourSignals, \.fourSignals)
    count(fixes: 1, at: now)
  }

  private mutating func learnDelay(
    until heard: BootInstant?, _ delay: WritableKeyPath<Experience, Seconds>
  ) {
    // After longer silence it was the board that came out of doors.
    guard let firstReport, let heard, heard - firstReport <= Self.maxDelay else { return }
    let learnt = experience[start.rawValue][keyPath: delay]
    experience[start.rawValue][keyPath: delay] +=
      (heard - firstReport - learnt) * TTFFPrediction.weight
  }

  mutating func gaveUp(at now: BootInstant) { count(fixes: 0, at: now) }

  /// Old experience fades: another house has other walls. A sky that was faint and has become
  /// something else counts neither way: made-up weeks cost 2 % more when it did, and were found no
  /// better.
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

  // MARK: What follows

  /// Nil while the receiver has not reported any signals.
  var sky: SignalQuality? { latest.map(Self.quality) }

  private static func quality(of signals: SatelliteReception) -> SignalQuality {
    if signals.fourth >= enough { return .clear }
    return signals.strongest >= weak ? .faint : .dark
  }

  /// For how long the sky has been clear; nil: it is not.
  func clearTime(until now: BootInstant) -> Seconds? { clearSince.map { now - $0 } }

  /// Why the search will come to nothing that is worth it; nil: it goes on, or nothing is known.
  /// - Parameter worth: how many seconds of searching a fix is worth.
  func objection(worth: Seconds, at now: BootInstant) -> SignalQuality? {
    guard let sky, let firstReport, let lastReport else { return nil }
    let own = experience[start.rawValue]
    let elapsed = lastReport - firstReport
    guard sky != .clear, elapsed >= own.silence else { return nil }
    guard sky == .faint else { return sky }
    guard elapsed >= own.weakness, let faintSince else { return nil }
    let searched = own.searched + (now - faintSince)
    return worth * own.fixes > searched ? nil : sky
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

  /// What was learnt of hot, warm and cold starts, in this order; nil: nothing.
  var snapshot: JSONValue? {
    experience == Self.inexperienced ? nil : .array(experience.map(Self.coding.json))
  }

  /// Goes on with what an earlier run learnt. What is damaged is learnt anew.
  mutating func restore(_ snapshot: JSONValue?) {
    guard let saved = snapshot?.array, saved.count == experience.count else { return }
    for (index, json) in saved.enumerated() {
      if let learnt = Self.coding.value(json) { experience[index] = learnt }
    }
  }
}
