/// A receiver of web requests at its address.
public struct WebPlan: Sendable {
  public let recipient: Recipient
  let receiver: any WebProtocol
  let address: WebAddress
  let credentials: UploadCredentials?
  /// Levels of the board's topics, which OwnTracks' servers need with every request.
  private let topics: UplinkTopics

  public init(
    _ settings: WebSettings, at address: WebAddress, _ credentials: UploadCredentials?,
    _ topics: UplinkTopics
  ) {
    recipient = settings.recipient
    receiver = settings.receiver
    self.address = address
    self.credentials = credentials
    self.topics = topics
  }

  /// Per request.
  var mostItems: Int { type(of: receiver).mostItems }

  /// - Parameter items: at least one, at most `mostItems`.
  func request(for items: [OutboxItem]) throws(UploadRequestError) -> UploadRequest {
    try UploadRequest(
      .post, address, headers: receiver.headers(topics),
      body: receiver.body(of: items.map(\.payload)), contentType: type(of: receiver).contentType,
      credentials: credentials)
  }
}
