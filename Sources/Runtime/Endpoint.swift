import Ports
import Core

/// Something served by the loop: what it waits for, when it is due, and what it delivers. The loop
/// queries these anew after every step, so an endpoint that appears, goes or reopens need not
/// notify it.
public protocol Endpoint: AnyObject {
  /// A word for messages: "receiver", "coarse".
  var kind: String { get }
  /// Nil while there is nothing to wait for, or in a simulation.
  var interest: Interest? { get }
  /// When it has to be served regardless of its descriptor; nil: never.
  var due: BootInstant? { get }
  /// After so many consecutive wakes without a result, it is not watched for a while.
  var fruitlessLimit: Int { get }
  /// Handles what is there.
  /// - Parameter isReady: whether its descriptor is ready, or that is unknown.
  func serve(at now: BootInstant, isReady: Bool) -> Served
}

/// The result of serving an endpoint.
public struct Served: Sendable {
  var inputs: [Input]
  /// Whether there was anything to handle.
  var isFruitful: Bool

  public init(_ inputs: [Input] = [], isFruitful: Bool) {
    self.inputs = inputs
    self.isFruitful = isFruitful
  }
}
