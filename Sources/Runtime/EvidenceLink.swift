import Ports
import Core
import Tracking

/// One source of evidence, or of coarse locations, on the loop.
final class EvidenceLink: Endpoint {
  let kind = "evidence"
  let fruitlessLimit = 20
  /// The maximum number of items handled at once, so that a chattering line cannot block the loop.
  static let maxBatch = 64
  private let port: any EvidencePort
  private let surroundings: Surroundings

  init(_ port: any EvidencePort, _ surroundings: Surroundings) {
    self.port = port
    self.surroundings = surroundings
  }

  var name: String { port.name }
  /// Nil: it cannot locate the board.
  var coarseSource: CoarseSource? { CoarseSource(port) }
  var interest: Interest? { port.interest }
  var due: BootInstant? { port.due }

  /// Requests a scan of the surroundings.
  func scan() -> [Input] {
    do {
      try port.request()
      return []
    } catch {
      return [failed(error)]
    }
  }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    var served = Served(isFruitful: false)
    guard isReady || port.due.map({ now >= $0 }) ?? false else { return served }
    let before = port.readCount
    do {
      while served.inputs.count < Self.maxBatch, let evidence = try port.poll() {
        served.isFruitful = true
        let events = surroundings.events(for: evidence, from: port.name, at: now)
        served.inputs += events.map { .tracker($0) }
      }
    } catch {
      served.inputs.append(failed(error))
    }
    if port.readCount != before { served.isFruitful = true }
    return served
  }

  private func failed(_ error: PortError) -> Input {
    .tracker(.scanFailed(source: port.name, reason: error.message))
  }
}

extension CoarseSource {
  /// Nil: it cannot locate the board.
  init?(_ port: any EvidencePort) {
    guard let delivery = port.delivery else { return nil }
    self.init(port.name, delivery)
  }
}
