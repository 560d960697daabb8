import Ports
import Core
import Records

/// A source of evidence that follows a script, whatever the board does.
final class LyingSource: EvidencePort {
  let name: String
  let interest: Interest? = nil
  private(set) var due: BootInstant?
  /// Its last report, if it has not been collected yet.
  private var waiting: Evidence?
  /// The next report and the pause before it; nil: the source falls silent.
  private let script: (BootInstant) -> (evidence: Evidence, pause: Seconds)?

  init(
    _ name: String, from start: BootInstant = .zero + 60,
    script: @escaping (BootInstant) -> (evidence: Evidence, pause: Seconds)?
  ) {
    self.name = name
    self.script = script
    due = start
  }

  /// The loop has reached the time of the next report.
  func advance(to now: BootInstant) {
    guard let moment = due, now >= moment else { return }
    guard let next = script(moment) else {
      due = nil
      return
    }
    waiting = next.evidence
    due = moment + next.pause
  }

  func poll() throws(PortError) -> Evidence? {
    defer { waiting = nil }
    return waiting
  }
}

/// A source whose reports are changed or lost on the way.
final class TamperedSource: EvidencePort {
  private let source: any EvidencePort
  private let heard: (Evidence) -> Evidence?

  /// - Parameter heard: maps a report to what arrives; nil: it is lost.
  init(_ source: any EvidencePort, heard: @escaping (Evidence) -> Evidence?) {
    self.source = source
    self.heard = heard
  }

  var name: String { source.name }
  var interest: Interest? { source.interest }
  var due: BootInstant? { source.due }

  func poll() throws(PortError) -> Evidence? {
    guard let evidence = try source.poll() else { return nil }
    return heard(evidence)
  }
}
