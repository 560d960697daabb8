import Ports
import Quantities
import Records
import Tracking

/// One source of evidence, or of coarse locations, on the loop.
final class EvidenceLink: Endpoint {
  let kind = "evidence"
  let fruitlessLimit = 20
  /// At most so much is taken in one turn: a line that chatters must not keep the loop.
  static let maxBatch = 64
  private let port: any EvidencePort

  init(_ port: any EvidencePort) { self.port = port }

  var name: String { port.name }
  /// Nil: it places nothing.
  var coarseSource: CoarseSource? { CoarseSource(port) }
  var interest: Interest? { port.interest }
  var due: BootInstant? { port.due }

  /// Asks it for a look at the surroundings.
  func scan() -> [Input] {
    do {
      try port.ask()
      return []
    } catch {
      return [failed(error)]
    }
  }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    var served = Served(isFruitful: false)
    guard isReady || port.due.map({ now >= $0 }) ?? false else { return served }
    do {
      while served.inputs.count < Self.maxBatch, let evidence = try port.poll() {
        served.isFruitful = true
        served.inputs.append(.tracker(event(evidence)))
      }
    } catch {
      served.inputs.append(failed(error))
    }
    return served
  }

  private func event(_ evidence: Evidence) -> Event {
    guard case .location(let observation) = evidence else {
      return .evidence(evidence, from: port.name)
    }
    return .coarse(observation, from: port.name)
  }

  private func failed(_ error: EvidenceError) -> Input {
    .tracker(.scanFailed(source: port.name, reason: error.message))
  }
}

extension CoarseSource {
  /// Nil: it places nothing.
  init?(_ port: any EvidencePort) {
    guard let delivery = port.delivery else { return nil }
    self.init(port.name, delivery)
  }
}
