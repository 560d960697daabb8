import Ports
import Core

/// Something that talks to the loop: what it waits for, when it is due, and what it has to say. The
/// loop asks anew after every turn, so that one that comes, goes or is opened again needs no word.
public protocol Endpoint: AnyObject {
  /// For messages, in a word: "receiver", "coarse".
  var kind: String { get }
  /// Nil while there is nothing to wait for, or in a virtual world.
  var interest: Interest? { get }
  /// When it has to be served whatever its descriptor says; nil: not by itself.
  var due: BootInstant? { get }
  /// After so many wakes in a row that nothing came of, it is left alone for a while.
  var fruitlessLimit: Int { get }
  /// Does what there is to do.
  /// - Parameter isReady: whether its descriptor is, or there is no telling.
  func serve(at now: BootInstant, isReady: Bool) -> Served
}

/// What came of serving an endpoint.
public struct Served: Sendable {
  public var inputs: [Input]
  /// Whether anything was there.
  public var isFruitful: Bool

  public init(_ inputs: [Input] = [], isFruitful: Bool) {
    self.inputs = inputs
    self.isFruitful = isFruitful
  }
}
