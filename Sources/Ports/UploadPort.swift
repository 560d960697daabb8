import Delivery

/// Sends requests to receivers and collects their answers; several at once, none of which waits for
/// another. When it is ready, or due, `poll` has work.
public protocol UploadPort: EventPort {
  /// Whether another can be begun now.
  var hasRoom: Bool { get }
  /// Begins a request and returns at once.
  /// - Returns: its number, under which its one result comes, in time and whatever the server does;
  ///   nil: there is no room until another has its result.
  func begin(_ request: UploadRequest) -> Int?
  /// A result that has not been collected; nil: nothing more for now.
  func poll() -> (number: Int, result: Result<UploadAnswer, UploadFailure>)?
  /// Gives a request up: no result comes. The server may have got it all the same.
  func cancel(_ number: Int)
  /// Since it was made, without what TLS adds.
  var traffic: Traffic { get }
}
