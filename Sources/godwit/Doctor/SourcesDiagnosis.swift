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
  private static let queriedSources = ["wifi", "cell", "geoclue"]

  /// - Parameter sources: the configured ones, which are listened to one after the other.
  static func findings(_ settings: Settings, _ sources: [any EvidencePort]) -> [Finding] {
    let network = network(settings.network).map { [$0] } ?? []
    let others = sources.filter { queriedSources.contains($0.name) }.map { source in
      source.name == "wifi" ? wifi(settings.wifi, source) : firstEvidence(source)
    }
    return network + others + lookUp(settings.lookUp)
  }

  /// Nil: it is not configured.
  static func network(_ settings: NetworkSettings) -> Finding? {
    NetworkSource.examine(settings).map { finding("network", $0) }
  }

  /// A board without Wi-Fi is no fault unless the settings request it by name.
  private static func wifi(_ settings: WiFiSettings, _ source: any EvidencePort) -> Finding {
    if settings.kind == .automatic,
      case .failure(let error) = WiFiKernelSource.examine(interface: settings.interface)
    {
      return .ok(source.name, error.message)
    }
    return firstEvidence(source)
  }

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

  private static func lookUp(_ settings: LookUpSettings) -> [Finding] {
    guard let host = settings.host else { return [] }
    guard OnlineLookUp.hasProgram else {
      return [.warn("lookup", "the program curl is missing: install the package curl")]
    }
    return [
      .ok(
        "lookup",
        "\(host) receives the access points and the cell in range, in clear, when nothing else "
          + "locates the board; it was not queried now")
    ]
  }

  /// The receiver works without any of them, so a missing one is no failure.
  static func finding(_ part: String, _ examined: Result<String, PortError>) -> Finding {
    switch examined {
    case .success(let text): .ok(part, text)
    case .failure(let error): .warn(part, error.message)
    }
  }
}
