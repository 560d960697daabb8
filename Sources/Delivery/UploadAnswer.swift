import Core

/// A receiver's answer, bounded, and otherwise as received: anyone in the network may have written
/// it.
public struct UploadAnswer: Hashable, Sendable {
  /// In bytes. A longer answer becomes `UploadFailure.Cause.tooLarge`.
  public static let longestBody = 65_536

  /// 100...599 from a correct server.
  public let status: Int
  public let body: [UInt8]
  /// In lower case, without parameters: "application/json".
  public let contentType: String?
  /// The pause that the server requests.
  public let retryAfter: Seconds?
  /// The target of a redirect: scheme, host and port.
  let redirect: String?

  public init(
    status: Int, body: [UInt8] = [], contentType: String? = nil, retryAfter: Seconds? = nil,
    redirect: String? = nil
  ) {
    self.status = status
    self.body = body
    self.contentType = contentType
    self.retryAfter = retryAfter
    self.redirect = redirect
  }

  /// With the values from the headers.
  public init(status: Int, body: [UInt8], headers: AnswerHeaders) {
    self.init(
      status: status, body: body, contentType: headers.contentType,
      retryAfter: headers.retryAfter, redirect: headers.redirect)
  }
}
