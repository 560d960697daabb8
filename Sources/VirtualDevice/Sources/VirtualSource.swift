import Ports
import Core
import Records

/// Evidence and the moment of its report.
struct SourceReport {
  let at: UTCInstant
  let evidence: Evidence

  init(_ evidence: Evidence, at moment: UTCInstant) {
    at = moment
    self.evidence = evidence
  }
}

/// The behaviour of one kind of source: its reports depend on the truth, the place and its seed,
/// never on the board's actions.
protocol SourceBehaviour {
  /// Processes the next piece of the truth. The reports are at most `VirtualSources.hindsight`
  /// before the end of that piece.
  mutating func follow(_ spell: TruthSegment) -> [SourceReport]
  /// The answer to a query, some time after it; nil where there is none.
  func answer(at time: UTCInstant, truth: TruthSegment.Moment?) -> Evidence?
  /// From the query to the answer; nil where it reports unsolicited.
  var answersAfter: Seconds? { get }
}

extension SourceBehaviour {
  func answer(at time: UTCInstant, truth: TruthSegment.Moment?) -> Evidence? { nil }
  var answersAfter: Seconds? { nil }
}

/// One source of the virtual board: it reports its behaviour's events when the clock reaches them.
public final class VirtualSource: EvidencePort {
  public let kind: SourceKind
  public var name: String { kind.rawValue }
  public var interest: Interest? { nil }
  /// Queries that were answered or will be.
  private(set) var questions = 0

  private let clock: VirtualClock
  private var behaviour: any SourceBehaviour
  /// In the order of time.
  private var coming: [SourceReport] = []
  private var waiting: [Evidence] = []
  private var answerDue: BootInstant?

  init(_ kind: SourceKind, _ behaviour: any SourceBehaviour, clock: VirtualClock) {
    self.kind = kind
    self.behaviour = behaviour
    self.clock = clock
  }

  public func request() throws(PortError) {
    guard let time = behaviour.answersAfter, answerDue == nil else { return }
    questions += 1
    answerDue = clock.now + time
  }

  public func poll() throws(PortError) -> Evidence? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  /// The energy drawn since the board's start.
  func energy(over time: Seconds) -> Joules {
    kind.energy.total(over: time, questions: questions)
  }

  func follow(_ spell: TruthSegment) {
    let more = behaviour.follow(spell)
    guard !more.isEmpty else { return }
    coming = (coming + more).enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  var nextEvent: BootInstant? {
    .earlier(coming.first.map { clock.instant(at: $0.at) }, answerDue)
  }

  /// - Parameter truth: the truth at a moment.
  func advance(to now: BootInstant, truth: (UTCInstant) -> TruthSegment.Moment?) {
    let time = clock.time(at: now)
    let due = coming.prefix { $0.at <= time }
    waiting += due.map(\.evidence)
    coming.removeFirst(due.count)
    guard let answerDue, answerDue <= now else { return }
    self.answerDue = nil
    let moment = clock.time(at: answerDue)
    if let answer = behaviour.answer(at: moment, truth: truth(moment)) { waiting.append(answer) }
  }
}
