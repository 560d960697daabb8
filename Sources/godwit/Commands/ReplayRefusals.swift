import Formats
import Core
import GNSS
import Runtime
import Tracking

/// The rejected positions of a recording, and why, in words.
struct ReplayRefusals {
  private let counters: TrackerCounters
  private let losses: ReceivedLosses

  init(_ runtime: TrackerRuntime) {
    counters = runtime.tracker.counters
    losses = ReceivedLosses(
      counters: runtime.receiver.counters, firsts: runtime.receiver.firstRefusals)
  }

  private var reasons: [(reason: RejectionReason, count: Int)] {
    counters.fixesRejected.filter { $0.key != .noFix && $0.value > 0 }
      .map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason.rawValue) < ($0.count, $1.reason.rawValue) }
  }

  private var refused: Int { reasons.map(\.count).reduce(0, +) }

  /// Fixes rejected while the receiver settled are normal.
  private var settling: Int { counters.fixesRejected[.settling] ?? 0 }

  /// What was lost, for people; empty if nothing was.
  var sentences: [String] { losses.sentences + [sentence, noPositionSentence].compactMap { $0 } }

  /// A recording from indoors rightly gives a store without a position, which looks like a failure.
  private var noPositionSentence: String? {
    guard counters.fixesAccepted == 0, refused == 0, counters.epochs > 0 else { return nil }
    return "it has no position: the receiver had no fix in any of "
      + Counted.text(counters.epochs, "epoch")
  }

  /// Nil: all were accepted.
  private var sentence: String? {
    guard refused > 0 else { return nil }
    let list = reasons.map { "\($0.count) \($0.reason.words)" }.joined(separator: ", ")
    let all = refused + counters.fixesAccepted
    let leaps = [RejectionReason.impliedSpeed, .impliedAcceleration]
      .map { counters.fixesRejected[$0] ?? 0 }.reduce(0, +)
    let sentence = "\(refused) of \(all) positions were rejected: \(list)"
    let isOfTwo = Double(leaps) > Double(all) * Leaps.mostShare
    return isOfTwo ? sentence + "; does it contain two receivers?" : sentence
  }

  /// Why hardly any position was accepted; nil: enough were.
  var causeOfNothing: String? {
    let accepted = counters.fixesAccepted
    let lost = refused - settling + Int(clamping: losses.counters.repeatedEpochs)
    guard Double(accepted) < Double(accepted + lost) * TraceOrdering.leastShare else {
      let isEmpty = counters.epochs == 0
      return isEmpty ? losses.causeOfNothing(undated: 0) : nil
    }
    let undated = counters.fixesRejected[.noTime] ?? 0
    return losses.causeOfNothing(undated: undated * 2 > refused ? undated : 0)
      ?? sentences.joined(separator: "; ")
  }
}

extension RejectionReason {
  /// Follows a number of positions.
  fileprivate var words: String {
    switch self {
    case .noFix: "without a position"
    case .noTime: "without a date"
    case .implausibleDate: "with an impossible date"
    case .nullIsland: "at exactly 0, 0"
    case .fewSatellites: "of too few satellites (gate.min_satellites)"
    case .largeError: "with too large an error (gate.max_error_m)"
    case .settling: "while the receiver settled"
    case .duplicate: "at the time of the previous one"
    case .timeBackwards: "earlier than the previous one"
    case .timeJump: "with a time that jumps"
    case .frozen: "that repeat a position while moving"
    case .impliedSpeed: "too far from the previous one"
    case .impliedAcceleration: "too far from the previous one for the time between"
    }
  }
}
