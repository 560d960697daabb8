import Hardware
import GodwitSettings
import Ports
import Core
import Records
import Tracking

/// Checks that the sources of evidence and coarse locations exist and are allowed, and shows what
/// they report now.
enum SourcesDiagnosis {
  /// A scan takes some seconds, and so does a modem.
  private static let timeout: Seconds = 10

  /// What can be examined is; the others are listened to one after the other.
  static func findings(_ settings: Settings) -> [Finding] {
    EvidenceSourceCatalogue.all.flatMap { source in
      source.examine(settings.sources)
        ?? source.make(settings.sources).map { [firstEvidence($0)] } ?? []
    }
  }

  /// The receiver works without any of them, so a missing one is no failure.
  private static func firstEvidence(_ source: any EvidencePort) -> Finding {
    do {
      guard let evidence = try SourceTrial(source: source, timeout: timeout).firstEvidence() else {
        return .warn(source.name, "nothing was received in \(Int(timeout.value)) s")
      }
      return .ok(source.name, describe(evidence))
    } catch {
      return .warn(source.name, error.message)
    }
  }

  private static func describe(_ evidence: Evidence) -> String {
    guard case .accessPoints(let scan) = evidence, scan.signals.isEmpty else {
      return "reports \(evidence.inWords)"
    }
    return "receives no access point that can locate the board"
  }
}
