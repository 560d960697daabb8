import Ports
import Quantities
import Tracking

/// One coarse source on the loop.
final class CoarseLink: Endpoint {
  let kind = "coarse"
  let fruitlessLimit = 20
  private let port: any CoarsePort

  init(_ port: any CoarsePort) { self.port = port }

  var name: String { port.name }
  var interest: Interest? { port.interest }
  var due: BootInstant? { port.due }

  /// Asks it for a location.
  func scan() -> [Input] {
    do {
      try port.scan()
      return []
    } catch {
      return [failed(error)]
    }
  }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    var served = Served(isFruitful: false)
    guard isReady || port.due.map({ now >= $0 }) ?? false else { return served }
    do {
      while let observation = try port.poll() {
        served.isFruitful = true
        served.inputs.append(.tracker(.coarse(observation, from: port.name)))
      }
    } catch {
      served.inputs.append(failed(error))
    }
    return served
  }

  private func failed(_ error: CoarseError) -> Input {
    .tracker(.scanFailed(source: port.name, reason: error.message))
  }
}
