import BusStandIns
import Ports
import Core
import Records

/// Serves a source as the loop does.
typealias SourceBench = PortBench<any EvidencePort, Evidence>

extension PortBench where Port == any EvidencePort, News == Evidence {
  init(source: any EvidencePort, clock: TestClock) {
    self.init(source, events: source, clock: clock, take: source.poll)
  }

  func evidence(within limit: Seconds = 10) -> Evidence? { news(within: limit) }

  func scan(within limit: Seconds = 10) -> AccessPointScan? {
    guard case .accessPoints(let scan)? = evidence(within: limit) else { return nil }
    return scan
  }
}
