import Delivery

/// Sends requests to servers and collects their answers; several in parallel, none of which waits
/// for another. When it is ready, or due, `poll` has work.
public protocol UploadPort: EventPort {
  /// Whether another request can be started now.
  var hasRoom: Bool { get }
  /// Starts a request and returns at once.
  /// - Returns: its number, which identifies its one result, within a time limit whatever the
  ///   server does; nil: no room until another request has its result.
  func begin(_ request: UploadRequest) -> Int?
  /// An uncollected result; nil: none at present.
  func poll() -> (number: Int, result: Result<UploadAnswer, UploadFailure>)?
  /// Cancels a request: there is no result. The server may have received it all the same.
  func cancel(_ number: Int)
  /// Since its creation, without the overhead of TLS.
  var traffic: Traffic { get }
}
