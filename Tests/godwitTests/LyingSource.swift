import Ports
import Core
import Records

/// A source of evidence that says what a script says, whatever the board does.
final class LyingSource: EvidencePort {
  let name: String
  let interest: Interest? = nil
  private(set) var due: BootInstant?
  /// What it said last, if nobody has collected it yet.
  private var waiting: Evidence?
  /// How long after that it speaks again, and what it says; nil: it falls silent.
  private let script: (BootInstant) -> (evidence: Evidence, pause: Seconds)?

  init(
    _ name: String, from start: BootInstant = .zero + 60,
    script: @escaping (BootInstant) -> (evidence: Evidence, pause: Seconds)?
  ) {
    self.name = name
    self.script = script
    due = start
  }

  /// The loop has come to the moment at which it speaks.
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

/// A source of which not everything arrives as it was said.
final class TamperedSource: EvidencePort {
  private let source: any EvidencePort
  private let heard: (Evidence) -> Evidence?

  /// - Parameter heard: what arrives of what it says; nil: that is lost.
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
