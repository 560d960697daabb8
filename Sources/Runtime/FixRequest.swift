import Ports
import Core
import Tracking

/// A fix requested over the control socket, in demand until it has come or its time is over.
final class FixRequest: Endpoint {
  private static let name: DemanderName = "request"

  let kind = "fix-request"
  let fruitlessLimit = 20
  var interest: Interest? { nil }
  private(set) var due: BootInstant?

  /// - Returns: the inputs for the tracker.
  func begin(within limit: Seconds, accuracy: Metres?, at now: BootInstant) -> [Input] {
    due = max(due ?? now, now + limit)
    // An explicit request is worth the energy of the whole time, with a weak signal too.
    let demand = GnssDemand(
      .on, accuracy: accuracy, timeout: limit, worth: limit, reason: "a fix was requested")
    return [.tracker(.demand(from: Self.name, demand))]
  }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard let due, due <= now else { return Served(isFruitful: false) }
    self.due = nil
    return Served([.tracker(.demand(from: Self.name, nil))], isFruitful: true)
  }
}
