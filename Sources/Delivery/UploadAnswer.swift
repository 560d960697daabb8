import Core

/// What a receiver has answered; bounded, and otherwise as it came: any stranger in the network may
/// have written it.
public struct UploadAnswer: Hashable, Sendable {
  /// Bytes. What is longer is no answer but `UploadFailure.Cause.tooLarge`.
  public static let longestBody = 65_536

  /// 100...599 of an honest server.
  public let status: Int
  public let body: [UInt8]
  /// In small letters, without parameters: "application/json".
  public let contentType: String?
  /// How long it wants to be left alone.
  public let retryAfter: Seconds?
  /// Where it sends the request to instead: scheme, host and port.
  public let redirect: String?

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

  /// With what the headers say.
  public init(status: Int, body: [UInt8], headers: AnswerHeaders) {
    self.init(
      status: status, body: body, contentType: headers.contentType,
      retryAfter: headers.retryAfter, redirect: headers.redirect)
  }
}
